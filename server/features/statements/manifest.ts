/** Statements: a period of a fan's balance or a creator's earnings as a file to keep, which adds up by itself. */
import * as statements from '@stagedoor/contract/statements.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'statements',
  above: ['accounts', 'archive', 'sales', 'wallet'],
  contract: [statements],
});
