import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { formatDayTime, lowercaseDayWord } from '../../../platform/dates.ts';
import { Row, Rows } from '../../../ui/rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { WORK_QUEUE_ITEMS, workQueueQuery } from './nav-entries.ts';
import * as texts from './texts.ts';

/** `now` is an ISO timestamp. */
export function WorkQueue({ now }: { now: string }) {
  const query = useQuery(workQueueQuery());
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={6} />
    );
  const rows = query.data.data.filter(({ count }) => count > 0);
  if (rows.length === 0) return <EmptyState line={texts.allClear} more={texts.emptyQueueHint} />;
  return (
    <Rows closed label={texts.workQueue}>
      {rows.map(({ kind, count, since }) => (
        <Row
          key={kind}
          href={WORK_QUEUE_ITEMS[kind].href}
          title={WORK_QUEUE_ITEMS[kind].label}
          sub={since && formatText(texts.oldestSince, { since: lowercaseDayWord(formatDayTime(since, now)) })}
          end={<span className="num text-lead font-semibold">{count.toLocaleString('en-US')}</span>}
        />
      ))}
    </Rows>
  );
}
