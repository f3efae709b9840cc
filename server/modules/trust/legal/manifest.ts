import * as adminCompanyDetails from '@stagedoor/contract/admin/company-details.ts';
import * as legal from '@stagedoor/contract/trust/legal.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'legal',
  dependsOn: ['account-deletion', 'accounts', 'audit-log', 'data-export', 'pricing', 'verification'],
  contract: [adminCompanyDetails, legal],
  emits: ['companyDetails.changed', 'policy.changed'],
  jobs: ['legal.notifyVersions'],
  implements: ['accountDeletion.deletionStep', 'accounts.consentHandler', 'dataExport.exportPart'],
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
