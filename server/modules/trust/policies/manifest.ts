import * as adminFees from '@stagedoor/contract/admin/fees.ts';
import * as adminSettingApprovals from '@stagedoor/contract/admin/setting-approvals.ts';
import * as priceLimits from '@stagedoor/contract/commerce/price-limits.ts';
import * as policies from '@stagedoor/contract/trust/policies.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'policies',
  dependsOn: [
    'accounts',
    'affiliates',
    'data-export',
    'audit-log',
    'account-deletion',
    'staff',
    'payouts',
    'sales',
    'verification',
  ],
  contract: [adminFees, policies, priceLimits, adminSettingApprovals],
  emits: ['platformDetails.changed', 'policy.changed'],
  jobs: ['policies.notify'],
  tables: {
    company_details: {
      grants: 'read',
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
      grants: 'replace',
      personalData: { inPrivacyPolicyAs: 'account', onAccountDeletion: 'deleted', inExportAs: 'agreements' },
    },
    policy_texts: {
      grants: 'append',
      personalData: { none: 'The texts of the platform, as they read when users agreed to them.' },
    },
    policy_notice_runs: {
      grants: 'append',
      updates: ['done_at', 'last_id', 'notified_count'],
      personalData: { none: 'How far a notification about a new text has progressed.' },
    },
  },
});
