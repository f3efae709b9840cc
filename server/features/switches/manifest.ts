/** Switches: what operators stop at once, and maintenance. */
import * as switches from '@stagedoor/contract/switches-desk.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'switches',
  above: ['audit'],
  contract: [switches],
  emits: ['switch.changed'],
  hears: ['switch.changed'],
  tables: { switches: { rows: 'edit' } },
});
