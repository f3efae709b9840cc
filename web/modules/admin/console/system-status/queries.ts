import { getSystemStatus, type SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { formatCount } from '../../../../platform/dates.ts';
import { pollWhileActive } from '../../../../platform/operator.ts';
import { apiQuery } from '../../../../platform/query.ts';

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
  database: 'Database and jobs',
  storage: 'Media storage',
  redis: 'Redis',
};

/** Below this free fraction of a disk, uploads may soon fail. */
const LOW_DISK_FRACTION = 0.1;
/** A runnable job that waits this long means that no worker runs or that there are too few. */
const LATE_JOB_MS = 5 * 60_000;

function isLate({ kinds }: NonNullable<SystemStatus['jobs']>, at: string): boolean {
  const oldest = kinds.flatMap(({ oldestAt }) => oldestAt ?? []).sort()[0];
  return oldest !== undefined && Date.parse(at) - Date.parse(oldest) > LATE_JOB_MS;
}

/** Returns one sentence for each problem that needs attention. Empty when the system is healthy. */
export function listProblems(systemStatus: SystemStatus): string[] {
  const { services, jobs, mail, payments, media, calls, at } = systemStatus;
  const problems: string[] = [];
  for (const { name, status: serviceStatus } of services)
    if (serviceStatus === 'down') problems.push(`${SERVICE_LABELS[name]} is down.`);
  if (jobs && isLate(jobs, at)) problems.push('Jobs have been waiting over 5 minutes. Check the workers.');
  const failed = jobs?.kinds.reduce((sum, kind) => sum + kind.failed, 0) ?? 0;
  if (failed > 0) problems.push(`${formatCount(failed, 'job')} failed.`);
  if (mail.transport === 'none') problems.push('Email can’t be sent: SMTP_URL isn’t set.');
  if (mail.failed + mail.retrying > 0)
    problems.push(`${formatCount(mail.failed + mail.retrying, 'email')} not sent yet.`);
  if (payments.quarantined > 0) problems.push(`${formatCount(payments.quarantined, 'payment event')} to review.`);
  if (media.failed > 0) problems.push(`${formatCount(media.failed, 'upload')} failed to process.`);
  if (
    media.diskFreeBytes !== null &&
    media.diskBytes !== null &&
    media.diskFreeBytes < media.diskBytes * LOW_DISK_FRACTION
  )
    problems.push('Less than 10% of the disk is free.');
  if (calls.provider === 'webrtc' && calls.isRelayOnly && !calls.hasRelay)
    problems.push('Calls may fail to connect: TURN_URLS isn’t set.');
  return problems;
}

export type StatusSummaryItem = { readonly name: string; readonly text: string; readonly isHealthy: boolean };

export function summarizeStatus({ at, jobs, mail, payments, media, calls }: SystemStatus): StatusSummaryItem[] {
  const createItem = (name: string, problem: string | false, text: string): StatusSummaryItem => ({
    ...{ name, text: problem || text, isHealthy: problem === false },
  });
  const formatWaiting = (count: number) => (count === 0 ? 'None waiting' : `${count.toLocaleString('en-US')} waiting`);
  const items = [
    createItem(
      'Payments',
      payments.quarantined > 0 && `${payments.quarantined} to review`,
      `${formatCount(payments.deposits, 'deposit')} this hour`,
    ),
    createItem(
      'Email',
      (mail.transport === 'none' && 'Not set up') ||
        (mail.failed + mail.retrying > 0 && `${mail.failed + mail.retrying} not sent`),
      formatWaiting(mail.waiting),
    ),
    createItem('Media', media.failed > 0 && `${media.failed} failed to process`, formatWaiting(media.waiting)),
    createItem('Calls', false, calls.open === 0 ? 'None ongoing' : `${calls.open.toLocaleString('en-US')} ongoing`),
  ];
  if (!jobs) return items;
  const failed = jobs.kinds.reduce((sum, kind) => sum + kind.failed, 0);
  const due = jobs.kinds.reduce((sum, kind) => sum + kind.due, 0);
  const problem = (failed > 0 && `${failed} failed`) || (isLate(jobs, at) && 'Waiting too long');
  return [createItem('Jobs', problem, formatWaiting(due)), ...items];
}
