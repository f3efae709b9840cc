import type { OwnedSchema, PlatformManifest, SharedAccess, TableGrants } from './module.ts';
import { FINANCIAL_RECORD } from './personal-data.ts';

export const manifest: PlatformManifest = {
  provides: ['platform.teamDelegation'],
  tables: {
    development_mail: {
      grants: 'append',
      readers: ['dev-mailbox'],
      personalData: { none: 'Never used in production.' },
    },
    processes: { grants: 'all', personalData: { none: 'Running processes of the platform.' } },
    idempotency_keys: { grants: 'append', readers: ['sales'], personalData: FINANCIAL_RECORD },
    outbox: { grants: 'all', personalData: { none: 'Events that are delivered within seconds.' } },
    event_jobs: { grants: 'all', personalData: { none: 'Events that are handled within seconds.' } },
    relay_lease: {
      grants: 'read',
      updates: ['holder', 'until'],
      personalData: { none: 'Which process delivers events.' },
    },
    error_stats: { grants: 'all', personalData: { none: 'Counts of errors by kind of request.' } },
    security_log: {
      grants: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'securityLog',
        onAccountDeletion: { remains: 'Deleted by age; it protects other accounts.' },
        inExportAs: { notExported: 'Protects accounts; for operators only.' },
      },
    },
    settings: {
      grants: 'edit',
      readers: ['demo'],
      exceptions: [{ module: 'demo', allows: 'write', reason: 'It notes there how far the demo world is made.' }],
      personalData: { none: 'Settings of the platform.' },
    },
  },
  functions: {
    transliterate: {},
    unaccent_lower: {},
    has_unspaced_script: {},
    unaccent_lower_spaced: {},
    relay_commit: {},
    relay_schedule_job: {},
    relay_finish_batch: {},
    security_log_append_only: {},
    security_log_no_truncate: {},
  },
};

export const jobTables: OwnedSchema<SharedAccess & TableGrants> = {
  tables: {
    _private_job_queues: { grants: 'all' },
    _private_jobs: { grants: 'all' },
    _private_known_crontabs: { grants: 'edit' },
    _private_tasks: { grants: 'append' },
    jobs: { grants: 'read' },
    migrations: { grants: 'read' },
  },
  functions: { add_job: {}, add_jobs: {}, force_unlock_workers: {}, remove_job: {}, reschedule_jobs: {} },
};
