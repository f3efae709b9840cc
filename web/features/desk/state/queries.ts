/** The live state, asked again while somebody sits there, and what of it wants a person at once. */
import { type LiveState, readState } from '@stagedoor/contract/state-desk.ts';
import { plural } from '../../../kernel/dates.ts';
import { whileAttended } from '../../../kernel/operator.ts';
import { apiQuery } from '../../../kernel/query.ts';

const EVERY_MS = 5_000;
export const stateQuery = () => ({ ...apiQuery(readState, {}), refetchInterval: whileAttended(EVERY_MS) });

export const PART_WORDS: Readonly<Record<LiveState['parts'][number]['name'], string>> = {
  database: 'Database and jobs',
  storage: 'Store of media',
  redis: 'Redis',
};

/** Less than this of a disk free, and uploads begin to fail soon. */
const LITTLE = 0.1;
/** What could have run for so long, and has not: nobody runs jobs, or too few do. */
const LATE_MS = 5 * 60_000;

/** One sentence for each thing that a person should look at now; none where all is well. */
export function concerns(state: LiveState): string[] {
  const { parts, jobs, mail, payments, media, calls, at } = state;
  const words: string[] = [];
  for (const { name, is } of parts) if (is === 'down') words.push(`${PART_WORDS[name]} does not answer.`);
  const oldest = jobs?.kinds.flatMap(({ oldestAt }) => oldestAt ?? []).sort()[0];
  if (oldest !== undefined && Date.parse(at) - Date.parse(oldest) > LATE_MS)
    words.push('Jobs have waited for more than five minutes: is a worker up?');
  const failed = jobs?.kinds.reduce((sum, kind) => sum + kind.failed, 0) ?? 0;
  if (failed > 0) words.push(`${plural(failed, 'job')} given up.`);
  if (mail.way === 'none') words.push('No mail can be sent: SMTP_URL is not set.');
  if (mail.failed + mail.trying > 0)
    words.push(`${plural(mail.failed + mail.trying, 'mail')} could not be sent so far.`);
  if (payments.quarantined > 0)
    words.push(
      `${plural(payments.quarantined, 'message')} of the processor wait${payments.quarantined === 1 ? 's' : ''} for a decision.`,
    );
  if (media.failed > 0) words.push(`${plural(media.failed, 'upload')} could not be made ready.`);
  if (media.diskFreeBytes !== null && media.diskBytes !== null && media.diskFreeBytes < media.diskBytes * LITTLE)
    words.push('Less than a tenth of the disk is free.');
  if (calls.provider === 'webrtc' && calls.isRelayOnly && !calls.hasRelay)
    words.push('Calls find no way between two people: TURN_URLS is not set.');
  return words;
}
