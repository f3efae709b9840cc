/**
 * Relays events until a test kills or freezes it. Prints each number, and is slow for the subject `stuck`. Arguments:
 * database URL, lease in ms.
 */
import { openRelayProcess } from './relays.ts';

/** Longer than a test needs to kill it. */
const STUCK_MS = 2_000;

const [url = '', leaseMs] = process.argv.slice(2);
const one = openRelayProcess(url, { leaseMs: Number(leaseMs) });
one.events.addBroadcastHandler(
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
