import * as statements from '@stagedoor/contract/statements.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'statements',
  above: ['accounts', 'archive', 'sales', 'wallet'],
  contract: [statements],
});
