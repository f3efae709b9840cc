import { useQuery } from '@tanstack/react-query';
import { formatDayTime, withinSentence } from '../../kernel/dates.ts';
import { Row, Rows } from '../../ui/rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { deskQuery, WAITING } from './entries.ts';

/** `now` is an ISO timestamp. */
export function Waiting({ now }: { now: string }) {
  const query = useQuery(deskQuery());
  if (!query.data)
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />
    ) : (
      <SkeletonRows count={6} />
    );
  const rows = query.data.data.filter(({ count }) => count > 0);
  if (rows.length === 0) return <EmptyState line="All clear" more="New items appear here." />;
  return (
    <Rows closed label="Work queue">
      {rows.map(({ kind, count, since }) => (
        <Row
          key={kind}
          href={WAITING[kind].href}
          title={WAITING[kind].words}
          sub={since && `Oldest: ${withinSentence(formatDayTime(since, now))}`}
          end={<span className="num text-lead font-semibold">{count.toLocaleString('en-US')}</span>}
        />
      ))}
    </Rows>
  );
}
