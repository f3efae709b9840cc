import { getSystemStatus, retryJob, type SystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCount, formatDayTime, lowercaseDayWord } from '../../../../platform/dates.ts';
import { Button } from '../../../../ui/button.tsx';
import { Table } from '../../../../ui/table.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

type JobsStatus = NonNullable<SystemStatus['jobs']>;
type JobFailure = JobsStatus['failures'][number];

function RetryJobButton({ failure }: { failure: JobFailure }) {
  const retry = useAdminAction(retryJob, {
    invalidates: [getSystemStatus],
    successMessage: ({ task }) => formatText(texts.retryStarted, { task }),
  });
  if (!retry.isAllowed) return null;
  return (
    <Button
      icon="refresh"
      busy={retry.isPending}
      busyText={texts.retryProgress}
      aria-label={formatText(texts.retryJobLabel, { task: failure.task })}
      onClick={() => retry.send({ params: { id: failure.id } })}
    >
      {texts.tryAgain}
    </Button>
  );
}

/** `now` is an ISO timestamp. */
export function FailedJobs({ failures, now }: { failures: readonly JobFailure[]; now: string }) {
  return (
    <ul className="rows" aria-label={texts.failedJobs}>
      {failures.map((failure) => (
        <li key={failure.id} className="row row--bare items-start">
          <div className="min-w-0">
            <p className="row__title">{failure.task}</p>
            <p className="text-small wrap-anywhere">{failure.error}</p>
            <p className="pt-1 text-small text-muted">
              {failure.nextAt === null
                ? formatText(texts.jobFailureSummary, {
                    attemptCount: formatCount(failure.attempts, 'attempt'),
                    failedAt: lowercaseDayWord(formatDayTime(failure.failedAt, now)),
                  })
                : formatText(texts.jobAttemptSummary, {
                    attempts: failure.attempts,
                    maxAttempts: failure.maxAttempts,
                    nextAt: lowercaseDayWord(formatDayTime(failure.nextAt, now)),
                  })}
            </p>
          </div>
          <RetryJobButton failure={failure} />
        </li>
      ))}
    </ul>
  );
}

export function JobKinds({ kinds, now }: { kinds: JobsStatus['kinds']; now: string }) {
  if (kinds.length === 0) return <p className="text-small text-muted">{texts.noJobs}</p>;
  const formatCell = (value: number) => (value === 0 ? '–' : value.toLocaleString('en-US'));
  return (
    <Table
      caption={texts.jobsByType}
      columns={[
        { head: texts.type },
        { head: texts.toRun },
        { head: texts.later, wide: true },
        { head: texts.running },
        { head: texts.failed },
        { head: texts.oldest, wide: true },
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
