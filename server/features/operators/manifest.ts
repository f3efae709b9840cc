/** Operators: who works at the desk, with which roles, and that they prove it again. */
import * as operators from '@stagedoor/contract/operators.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'operators',
  above: ['accounts', 'audit', 'ledger'],
  contract: [operators],
  emits: ['operators.changed'],
  hears: ['operators.changed'],
  tables: { wanted_settings: { rows: 'replace' } },
});
