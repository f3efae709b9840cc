/** State: what the house is doing at this moment, read from what it knows anyway. */
import * as state from '@stagedoor/contract/state-desk.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'state',
  above: ['audit', 'calls', 'payments'],
  contract: [state],
  jobs: ['state.forget'],
});
