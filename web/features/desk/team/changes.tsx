/** Role changes with their reasons, so that an owner notices changes that no owner made. */
import type { AuditEntry } from '@stagedoor/contract/audit.ts';
import { listTeamChanges } from '@stagedoor/contract/operators.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { isolated } from '../../../kernel/bidi.ts';
import { apiInfiniteQuery } from '../../../kernel/query.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { Changes } from '../changes.tsx';

export const teamChangesQuery = () => apiInfiniteQuery(listTeamChanges, { query: { limit: 10 } });

function wordsOf({ act, facts: { username, before, after, ground } }: AuditEntry): string[] {
  const who = isolated(`@${username}`);
  const what =
    act === 'operator.endSessions'
      ? `${who}: logged out everywhere`
      : `${who}: ${before ?? 'no role'} to ${after ?? 'no role'}`;
  return ground === undefined || ground === null ? [what] : [what, `“${isolated(String(ground))}”`];
}

export function TeamChanges() {
  const query = useInfiniteQuery(teamChangesQuery());
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  if (!query.data) return <SkeletonRows count={2} />;
  return (
    <Changes
      label="Staff changes"
      none="No role changes yet"
      entries={query.data.pages.flatMap(({ data }) => data)}
      wordsOf={wordsOf}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
