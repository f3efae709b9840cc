import * as ownLimits from '@stagedoor/contract/own-limits.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'own-limits',
  above: ['accounts', 'archive', 'ledger', 'sales'],
  contract: [ownLimits],
});
