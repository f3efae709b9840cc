import { type LiveState, readState } from '@stagedoor/contract/state-desk.ts';
import { plural } from '../../../kernel/dates.ts';
import { whileAttended } from '../../../kernel/operator.ts';
import { apiQuery } from '../../../kernel/query.ts';

const EVERY_MS = 5_000;
export const stateQuery = () => ({ ...apiQuery(readState, {}), refetchInterval: whileAttended(EVERY_MS) });
const GLANCE_MS = 30_000;
export const glanceQuery = () => ({ ...stateQuery(), refetchInterval: whileAttended(GLANCE_MS) });

export const PART_WORDS: Readonly<Record<LiveState['parts'][number]['name'], string>> = {
  database: 'Database and jobs',
  storage: 'Media storage',
  redis: 'Redis',
};

/** Below this free fraction of a disk, uploads may soon fail. */
const LITTLE = 0.1;
/** A runnable job that waits this long means that no worker runs or that there are too few. */
const LATE_MS = 5 * 60_000;

function isLate({ kinds }: NonNullable<LiveState['jobs']>, at: string): boolean {
  const oldest = kinds.flatMap(({ oldestAt }) => oldestAt ?? []).sort()[0];
  return oldest !== undefined && Date.parse(at) - Date.parse(oldest) > LATE_MS;
}

/** Returns one sentence for each problem that needs attention. Empty when the system is healthy. */
export function concerns(state: LiveState): string[] {
  const { parts, jobs, mail, payments, media, calls, at } = state;
  const words: string[] = [];
  for (const { name, is } of parts) if (is === 'down') words.push(`${PART_WORDS[name]} is down.`);
  if (jobs && isLate(jobs, at)) words.push('Jobs have been waiting over 5 minutes. Check the workers.');
  const failed = jobs?.kinds.reduce((sum, kind) => sum + kind.failed, 0) ?? 0;
  if (failed > 0) words.push(`${plural(failed, 'job')} failed.`);
  if (mail.way === 'none') words.push('Email can’t be sent: SMTP_URL isn’t set.');
  if (mail.failed + mail.trying > 0) words.push(`${plural(mail.failed + mail.trying, 'email')} not sent yet.`);
  if (payments.quarantined > 0) words.push(`${plural(payments.quarantined, 'payment event')} to review.`);
  if (media.failed > 0) words.push(`${plural(media.failed, 'upload')} failed to process.`);
  if (media.diskFreeBytes !== null && media.diskBytes !== null && media.diskFreeBytes < media.diskBytes * LITTLE)
    words.push('Less than 10% of the disk is free.');
  if (calls.provider === 'webrtc' && calls.isRelayOnly && !calls.hasRelay)
    words.push('Calls may fail to connect: TURN_URLS isn’t set.');
  return words;
}

export type Glance = { readonly name: string; readonly words: string; readonly isWell: boolean };

export function glance({ at, jobs, mail, payments, media, calls }: LiveState): Glance[] {
  const part = (name: string, problem: string | false, words: string): Glance => ({
    ...{ name, words: problem || words, isWell: problem === false },
  });
  const waits = (count: number) => (count === 0 ? 'None waiting' : `${count.toLocaleString('en-US')} waiting`);
  const parts = [
    part(
      'Payments',
      payments.quarantined > 0 && `${payments.quarantined} to review`,
      `${plural(payments.deposits, 'deposit')} this hour`,
    ),
    part(
      'Email',
      (mail.way === 'none' && 'Not set up') ||
        (mail.failed + mail.trying > 0 && `${mail.failed + mail.trying} not sent`),
      waits(mail.waiting),
    ),
    part('Media', media.failed > 0 && `${media.failed} failed to process`, waits(media.waiting)),
    part('Calls', false, calls.open === 0 ? 'None ongoing' : `${calls.open.toLocaleString('en-US')} ongoing`),
  ];
  if (!jobs) return parts;
  const failed = jobs.kinds.reduce((sum, kind) => sum + kind.failed, 0);
  const due = jobs.kinds.reduce((sum, kind) => sum + kind.due, 0);
  const problem = (failed > 0 && `${failed} failed`) || (isLate(jobs, at) && 'Waiting too long');
  return [part('Jobs', problem, waits(due)), ...parts];
}
