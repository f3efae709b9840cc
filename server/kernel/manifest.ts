import { FINANCIAL_RECORD } from './personal-data.ts';
import type { Holdings, Rights, Shared } from './room.ts';

export const manifest: Holdings = {
  tables: {
    development_mail: { rows: 'append', readers: ['development'], personalData: { none: 'Never used in production.' } },
    nodes: { rows: 'all', personalData: { none: 'Running processes of the platform.' } },
    operations: { rows: 'append', readers: ['sales'], personalData: FINANCIAL_RECORD },
    outbox: { rows: 'all', personalData: { none: 'Events that are delivered within seconds.' } },
    reactions_done: { rows: 'none', personalData: { none: 'Events that are handled within seconds.' } },
    reactions_due: { rows: 'all', personalData: { none: 'Events that are handled within seconds.' } },
    relay_lease: {
      rows: 'read',
      updates: ['holder', 'until'],
      personalData: { none: 'Which process delivers events.' },
    },
    request_faults: { rows: 'all', personalData: { none: 'Counts of errors by kind of request.' } },
    security_log: {
      rows: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'securityLog',
        onAccountDeletion: { remains: 'Deleted by age; it protects other accounts.' },
        inExportAs: { notExported: 'Protects accounts; for operators only.' },
      },
    },
    settings: {
      rows: 'edit',
      readers: ['demo'],
      exceptions: [{ room: 'demo', may: 'write', why: 'It notes there how far the demo world is made.' }],
      personalData: { none: 'Settings of the platform.' },
    },
  },
  functions: {
    plain: {},
    relay_commit: {},
    relay_job: {},
    relay_rest: {},
    security_log_stays: {},
    security_log_whole: {},
  },
};

export const jobs: Holdings<Shared & Rights> = {
  tables: {
    _private_job_queues: { rows: 'all' },
    _private_jobs: { rows: 'all' },
    _private_known_crontabs: { rows: 'edit' },
    _private_tasks: { rows: 'append' },
    jobs: { rows: 'read' },
    migrations: { rows: 'read' },
  },
  functions: { add_job: {}, add_jobs: {}, force_unlock_workers: {}, remove_job: {}, reschedule_jobs: {} },
};
