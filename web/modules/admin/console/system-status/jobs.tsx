import { getSystemStatus, retryJob, type SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { formatCount, formatDayTime, lowercaseDayWord } from '../../../../platform/dates.ts';
import { Button } from '../../../../ui/button.tsx';
import { Table } from '../../../../ui/table.tsx';
import { useAdminAction } from '../use-admin-action.ts';

type JobsStatus = NonNullable<SystemStatus['jobs']>;
type JobFailure = JobsStatus['failures'][number];

function RetryJobButton({ failure }: { failure: JobFailure }) {
  const retry = useAdminAction(retryJob, {
    invalidates: [getSystemStatus],
    successMessage: ({ task }) => `Retrying ${task}.`,
  });
  if (!retry.isAllowed) return null;
  return (
    <Button
      icon="refresh"
      busy={retry.isPending}
      busyText="Trying…"
      aria-label={`Try ${failure.task} again`}
      onClick={() => retry.send({ params: { id: failure.id } })}
    >
      Try again
    </Button>
  );
}

/** `now` is an ISO timestamp. */
export function FailedJobs({ failures, now }: { failures: readonly JobFailure[]; now: string }) {
  return (
    <ul className="rows" aria-label="Failed jobs">
      {failures.map((failure) => (
        <li key={failure.id} className="row row--bare items-start">
          <div className="min-w-0">
            <p className="row__title">{failure.task}</p>
            <p className="text-small wrap-anywhere">{failure.error}</p>
            <p className="pt-1 text-small text-muted">
              {failure.nextAt === null
                ? `Failed after ${formatCount(failure.attempts, 'attempt')}, last ${lowercaseDayWord(formatDayTime(failure.failedAt, now))}`
                : `Attempt ${failure.attempts} of ${failure.maxAttempts}, next ${lowercaseDayWord(formatDayTime(failure.nextAt, now))}`}
            </p>
          </div>
          <RetryJobButton failure={failure} />
        </li>
      ))}
    </ul>
  );
}

export function JobKinds({ kinds, now }: { kinds: JobsStatus['kinds']; now: string }) {
  if (kinds.length === 0) return <p className="text-small text-muted">No jobs</p>;
  const formatCell = (value: number) => (value === 0 ? '–' : value.toLocaleString('en-US'));
  return (
    <Table
      caption="Jobs by type"
      columns={[
        { head: 'Type' },
        { head: 'To run' },
        { head: 'Later', wide: true },
        { head: 'Running' },
        { head: 'Failed' },
        { head: 'Oldest', wide: true },
      ]}
      rows={kinds.map(({ task, due, scheduled, running, retrying, failed, oldestAt }) => ({
        key: task,
        cells: [
          task,
          formatCell(due),
          formatCell(scheduled),
          formatCell(running),
          formatCell(retrying + failed),
          oldestAt === null ? '–' : formatDayTime(oldestAt, now),
        ],
      }))}
    />
  );
}
