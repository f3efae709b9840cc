import * as moneyActs from '@stagedoor/contract/money-acts.ts';
import * as operators from '@stagedoor/contract/operators.ts';
import { SET_BY_OPERATORS } from '../../kernel/personal-data.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'operators',
  above: ['accounts', 'audit', 'ledger'],
  contract: [moneyActs, operators],
  emits: ['operators.changed'],
  hears: ['operators.changed'],
  tables: {
    money_acts: {
      rows: 'append',
      updates: ['ended_at', 'ended_by', 'outcome'],
      exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
      readers: ['transparency'],
      personalData: { inPrivacyPolicyAs: 'money' },
    },
    wanted_settings: { rows: 'replace', personalData: SET_BY_OPERATORS },
  },
});
