import * as desk from '@stagedoor/contract/desk.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'desk',
  above: ['calls', 'cases', 'ledger', 'notifications', 'operators', 'payments', 'payouts', 'policies', 'verification'],
  contract: [desk],
});
