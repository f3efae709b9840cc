/** What lies in the database under the kernel's name. Everybody may tell an event into the outbox and call its functions. */
import type { Holdings } from './room.ts';

export const manifest: Holdings = {
  tables: {
    development_mail: { readers: ['development'] },
    operations: { readers: ['sales'] },
    outbox: {},
    reactions_done: {},
    reactions_due: {},
    relay_lease: {},
    settings: {
      readers: ['chat', 'demo'],
      exceptions: [{ room: 'demo', may: 'write', why: 'It notes there how far the demo world is made.' }],
    },
  },
  functions: { plain: {}, relay_commit: {}, relay_job: {}, relay_rest: {} },
};
