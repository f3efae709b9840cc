/** Role changes with their reasons, so that an owner notices changes that no owner made. */
import type { AuditEntry } from '@stagedoor/contract/admin/audit-log.ts';
import { listStaffChanges } from '@stagedoor/contract/admin/staff.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { isolateText } from '../../../../platform/bidi.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import { ChangeList } from '../change-list.tsx';

export const staffChangesQuery = () => apiInfiniteQuery(listStaffChanges, { query: { limit: 10 } });

function formatEntry({ action, details: { username, before, after, reason } }: AuditEntry): string[] {
  const mention = isolateText(`@${username}`);
  const changeText =
    action === 'operator.endSessions'
      ? `${mention}: logged out everywhere`
      : `${mention}: ${before ?? 'no role'} to ${after ?? 'no role'}`;
  return reason === undefined || reason === null ? [changeText] : [changeText, `“${isolateText(String(reason))}”`];
}

export function StaffChanges() {
  const query = useInfiniteQuery(staffChangesQuery());
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  if (!query.data) return <SkeletonRows count={2} />;
  return (
    <ChangeList
      label="Staff changes"
      emptyText="No role changes yet"
      entries={query.data.pages.flatMap(({ data }) => data)}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
