import * as state from '@stagedoor/contract/state-desk.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'state',
  above: ['audit', 'calls', 'payments'],
  contract: [state],
  jobs: ['state.forget'],
});
