/**
 * A process that relays, for tests that kill or freeze it: it says each number that it tells, and takes long over those of
 * the subject `stuck`. Takes the database's address and the lease in ms.
 */
import { openProcess } from './relays.ts';

/** Longer than it takes to be killed or frozen. */
const STUCK_MS = 5_000;

const [url = '', leaseMs] = process.argv.slice(2);
const one = openProcess(url, { leaseMs: Number(leaseMs) });
one.events.tell(
  'test.happened',
  'say',
  ({ subject }) => subject,
  async ({ payload: { number, subject } }) => {
    process.stdout.write(`${subject} ${number}\n`);
    if (subject === 'stuck') await new Promise((resolve) => setTimeout(resolve, STUCK_MS));
  },
);
await one.start();
process.stdout.write('ready\n');
