import { type LiveState, readState, retryJob } from '@stagedoor/contract/state-desk.ts';
import { formatDayTime, plural, withinSentence } from '../../../kernel/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { Table } from '../../../ui/table.tsx';
import { useDeskAct } from '../acts.ts';

type Jobs = NonNullable<LiveState['jobs']>;
type Failure = Jobs['failures'][number];

function Again({ failure }: { failure: Failure }) {
  const again = useDeskAct(retryJob, { forget: [readState], done: ({ task }) => `Retrying ${task}.` });
  if (!again.may) return null;
  return (
    <Button
      icon="refresh"
      busy={again.isPending}
      busyText="Trying…"
      aria-label={`Try ${failure.task} again`}
      onClick={() => again.send({ params: { id: failure.id } })}
    >
      Try again
    </Button>
  );
}

/** `now` is an ISO timestamp. */
export function FailedJobs({ failures, now }: { failures: readonly Failure[]; now: string }) {
  return (
    <ul className="rows" aria-label="Failed jobs">
      {failures.map((failure) => (
        <li key={failure.id} className="row row--bare items-start">
          <div className="min-w-0">
            <p className="row__title">{failure.task}</p>
            <p className="text-small wrap-anywhere">{failure.error}</p>
            <p className="pt-1 text-small text-muted">
              {failure.nextAt === null
                ? `Failed after ${plural(failure.attempts, 'attempt')}, last ${withinSentence(formatDayTime(failure.failedAt, now))}`
                : `Attempt ${failure.attempts} of ${failure.maxAttempts}, next ${withinSentence(formatDayTime(failure.nextAt, now))}`}
            </p>
          </div>
          <Again failure={failure} />
        </li>
      ))}
    </ul>
  );
}

export function JobKinds({ kinds, now }: { kinds: Jobs['kinds']; now: string }) {
  if (kinds.length === 0) return <p className="text-small text-muted">No jobs</p>;
  const figure = (value: number) => (value === 0 ? '–' : value.toLocaleString('en-US'));
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
      rows={kinds.map(({ task, due, later, running, trying, failed, oldestAt }) => ({
        key: task,
        cells: [
          task,
          figure(due),
          figure(later),
          figure(running),
          figure(trying + failed),
          oldestAt === null ? '–' : formatDayTime(oldestAt, now),
        ],
      }))}
    />
  );
}
