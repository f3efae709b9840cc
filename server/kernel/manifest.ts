/** What lies in the database under the kernel's name. Everybody may tell an event into the outbox and call its functions. */
import type { Holdings } from './room.ts';

export const manifest: Holdings = {
  tables: {
    development_mail: { rows: 'append', readers: ['development'] },
    nodes: { rows: 'all' },
    operations: { rows: 'append', readers: ['sales'] },
    outbox: { rows: 'all' },
    reactions_done: { rows: 'none' },
    reactions_due: { rows: 'all' },
    relay_lease: { rows: 'read', updates: ['holder', 'until'] },
    request_faults: { rows: 'all' },
    security_log: { rows: 'replace' },
    settings: {
      rows: 'edit',
      readers: ['demo'],
      exceptions: [{ room: 'demo', may: 'write', why: 'It notes there how far the demo world is made.' }],
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

/** The jobs' schema, which graphile-worker makes: what its worker does there, and we ourselves. */
export const jobs: Holdings = {
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
