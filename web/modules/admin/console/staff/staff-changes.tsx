/** Role changes with their reasons, so that an owner notices changes that no owner made. */
import type { AuditEntry } from '@stagedoor/contract/admin/audit-log.ts';
import { listStaffChanges } from '@stagedoor/contract/admin/staff.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { isolateText } from '../../../../platform/bidi.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { ErrorState, SkeletonRows } from '../../../../ui/states.tsx';
import { ChangeList } from '../change-list.tsx';
import * as texts from './texts.ts';

export const staffChangesQuery = () => apiInfiniteQuery(listStaffChanges, { query: { limit: 10 } });

function formatEntry({ action, details: { username, before, after, reason } }: AuditEntry): string[] {
  const mention = isolateText(`@${username}`);
  const plainTexts: Readonly<Record<string, string>> = {
    'operator.endSessions': texts.sessionsEndedEntry,
    'operator.sendCode': texts.codeSentEntry,
  };
  const plainText = plainTexts[action];
  const changeText =
    plainText !== undefined
      ? formatText(plainText, { mention })
      : formatText(texts.roleChangeEntry, {
          mention,
          before: String(before ?? texts.noRole),
          after: String(after ?? texts.noRole),
        });
  return reason === undefined || reason === null ? [changeText] : [changeText, `“${isolateText(String(reason))}”`];
}

export function StaffChanges() {
  const query = useInfiniteQuery(staffChangesQuery());
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  if (!query.data) return <SkeletonRows count={2} />;
  return (
    <ChangeList
      label={texts.staffChanges}
      emptyText={texts.noRoleChangesYet}
      entries={query.data.pages.flatMap(({ data }) => data)}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
