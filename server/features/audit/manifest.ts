import * as audit from '@stagedoor/contract/audit.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'audit',
  above: ['accounts'],
  contract: [audit],
  tables: {
    audit_log: {
      rows: 'append',
      readers: ['transparency'],
      exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
      personalData: { inPrivacyPolicyAs: 'operatorActions' },
    },
  },
  functions: {
    audit_chain: {},
    audit_hash: { exceptions: [{ room: 'ledger', may: 'call', why: 'The proof makes each hash anew.' }] },
    audit_stays: {},
  },
});
