import { CLOCK_LIMITS, getSystemStatus, type SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCount } from '../../../../platform/dates.ts';
import { pollWhileActive } from '../../../../platform/operator.ts';
import { apiQuery } from '../../../../platform/query.ts';
import * as texts from './texts.ts';

const REFETCH_MS = 5_000;
export const systemStatusQuery = () => ({
  ...apiQuery(getSystemStatus, {}),
  refetchInterval: pollWhileActive(REFETCH_MS),
});
const SUMMARY_REFETCH_MS = 30_000;
export const statusSummaryQuery = () => ({
  ...systemStatusQuery(),
  refetchInterval: pollWhileActive(SUMMARY_REFETCH_MS),
});

export const SERVICE_LABELS: Readonly<Record<SystemStatus['services'][number]['name'], string>> = {
  database: texts.databaseAndJobs,
  storage: texts.mediaStorage,
  redis: texts.redis,
};

/** Below this free fraction of a disk, uploads may soon fail. */
const LOW_DISK_FRACTION = 0.1;
/** A runnable job that waits this long means that no worker runs or that there are too few. */
const LATE_JOB_MS = 5 * 60_000;

function isLate({ kinds }: NonNullable<SystemStatus['jobs']>, at: string): boolean {
  const oldest = kinds.flatMap(({ oldestAt }) => oldestAt ?? []).sort()[0];
  return oldest !== undefined && Date.parse(at) - Date.parse(oldest) > LATE_JOB_MS;
}

export function formatClockOffset(offsetMs: number): string {
  const seconds = (Math.abs(offsetMs) / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 });
  return formatText(offsetMs > 0 ? texts.clockAhead : texts.clockBehind, { seconds });
}

/** Returns one sentence for each problem that needs attention. Empty when the system is healthy. */
export function listProblems(systemStatus: SystemStatus): string[] {
  const { services, jobs, mail, payments, media, calls, processes, at } = systemStatus;
  const problems: string[] = [];
  for (const { name, status: serviceStatus } of services)
    if (serviceStatus === 'down')
      problems.push(formatText(texts.serviceDownProblem, { service: SERVICE_LABELS[name] }));
  if (jobs && isLate(jobs, at)) problems.push(texts.lateJobsProblem);
  const failed = jobs?.kinds.reduce((sum, kind) => sum + kind.failed, 0) ?? 0;
  if (failed > 0) problems.push(formatText(texts.failedJobsProblem, { jobCount: formatCount(failed, 'job') }));
  if (mail.transport === 'none') problems.push(texts.mailSetupProblem);
  if (mail.failed + mail.retrying > 0)
    problems.push(
      formatText(texts.unsentEmailsProblem, { emailCount: formatCount(mail.failed + mail.retrying, 'email') }),
    );
  if (payments.quarantined > 0)
    problems.push(
      formatText(texts.paymentReviewProblem, {
        paymentEventCount: formatCount(payments.quarantined, texts.paymentEvent),
      }),
    );
  if (media.failed > 0)
    problems.push(formatText(texts.failedUploadsProblem, { uploadCount: formatCount(media.failed, 'upload') }));
  if (
    media.diskFreeBytes !== null &&
    media.diskBytes !== null &&
    media.diskFreeBytes < media.diskBytes * LOW_DISK_FRACTION
  )
    problems.push(texts.lowDiskProblem);
  for (const { clockOffsetMs } of processes ?? [])
    if (Math.abs(clockOffsetMs ?? 0) > CLOCK_LIMITS.reportedMs)
      problems.push(formatText(texts.clockProblem, { difference: formatClockOffset(clockOffsetMs ?? 0) }));
  if (calls.provider === 'webrtc' && calls.isRelayOnly && !calls.hasRelay) problems.push(texts.callRelayProblem);
  return problems;
}

export type StatusSummaryItem = { readonly name: string; readonly text: string; readonly isHealthy: boolean };

export function summarizeStatus({ at, jobs, mail, payments, media, calls }: SystemStatus): StatusSummaryItem[] {
  const createItem = (name: string, problem: string | false, text: string): StatusSummaryItem => ({
    ...{ name, text: problem || text, isHealthy: problem === false },
  });
  const formatWaiting = (count: number) =>
    count === 0 ? texts.noneWaiting : formatText(texts.waitingCount, { count: count.toLocaleString('en-US') });
  const items = [
    createItem(
      texts.payments,
      payments.quarantined > 0 && formatText(texts.paymentsToReview, { count: payments.quarantined }),
      formatText(texts.depositsThisHour, { depositCount: formatCount(payments.deposits, 'deposit') }),
    ),
    createItem(
      texts.email,
      (mail.transport === 'none' && texts.notSetUp) ||
        (mail.failed + mail.retrying > 0 && formatText(texts.emailsNotSent, { count: mail.failed + mail.retrying })),
      formatWaiting(mail.waiting),
    ),
    createItem(
      texts.media,
      media.failed > 0 && formatText(texts.failedMediaCount, { count: media.failed }),
      formatWaiting(media.waiting),
    ),
    createItem(
      texts.calls,
      false,
      calls.open === 0
        ? texts.noneOngoing
        : formatText(texts.ongoingCalls, { count: calls.open.toLocaleString('en-US') }),
    ),
  ];
  if (!jobs) return items;
  const failed = jobs.kinds.reduce((sum, kind) => sum + kind.failed, 0);
  const due = jobs.kinds.reduce((sum, kind) => sum + kind.due, 0);
  const problem =
    (failed > 0 && formatText(texts.failedJobsCount, { count: failed })) || (isLate(jobs, at) && texts.waitingTooLong);
  return [createItem(texts.jobs, problem, formatWaiting(due)), ...items];
}
