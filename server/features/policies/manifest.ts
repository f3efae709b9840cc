import * as feesDesk from '@stagedoor/contract/fees-desk.ts';
import * as policies from '@stagedoor/contract/policies.ts';
import * as prices from '@stagedoor/contract/price-limits.ts';
import * as wantedSettings from '@stagedoor/contract/wanted-settings.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'policies',
  above: ['accounts', 'affiliates', 'archive', 'audit', 'closing', 'operators', 'payouts', 'sales', 'verification'],
  contract: [feesDesk, policies, prices, wantedSettings],
  emits: ['house.changed', 'policy.changed'],
  jobs: ['policies.tell'],
  tables: {
    operator_facts: {
      rows: 'read',
      updates: [
        'address',
        'company',
        'contact_mail',
        'country',
        'custodian',
        'custodian_address',
        'custodian_hours',
        'dmca_address',
        'dmca_agent',
        'dmca_mail',
        'dmca_phone',
      ],
      personalData: { none: 'Details of the company that runs the platform.' },
    },
    policy_agreements: {
      rows: 'replace',
      personalData: { inPrivacyPolicyAs: 'account', onAccountDeletion: 'deleted', inExportAs: 'agreements' },
    },
    policy_texts: {
      rows: 'append',
      personalData: { none: 'The texts of the platform, as they read when users agreed to them.' },
    },
    policy_tellings: {
      rows: 'append',
      updates: ['done_at', 'last_id', 'told_count'],
      personalData: { none: 'How far a notification about a new text has progressed.' },
    },
  },
});
