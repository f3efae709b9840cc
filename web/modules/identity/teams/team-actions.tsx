import { listTeamActions, type TeamAction } from '@stagedoor/contract/identity/teams.ts';
import { creatorThreadPath, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatExactTime } from '../../../platform/dates.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

export const teamActionsQuery = () => apiInfiniteQuery(listTeamActions, { query: { limit: 30 } });

function findSubjectHref({ subject }: TeamAction): string | undefined {
  const [, kind, id] = /(?:^| )(conversationId|post):([0-9a-f-]{36})(?: |$)/.exec(subject) ?? [];
  if (!id) return undefined;
  return kind === 'post' ? postPath(id) : creatorThreadPath(id);
}

export function TeamActions() {
  const query = useInfiniteQuery(teamActionsQuery());
  if (!query.data)
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={3} />;
  const actions = query.data.pages.flatMap(({ data }) => data);
  if (actions.length === 0) return <p className="text-muted">{texts.noTeamActivityHint}</p>;
  return (
    <>
      <Rows label={texts.teamActivity}>
        {actions.map((action) => (
          <Row
            key={action.id}
            lead={<Avatar name={action.member.name} src={action.member.avatarUrl ?? undefined} />}
            title={
              action.isRefused
                ? formatText(texts.actionDenied, { description: action.description })
                : action.description
            }
            href={findSubjectHref(action)}
            sub={
              <span className="num whitespace-normal">{`${action.member.name} · ${formatExactTime(action.at)}`}</span>
            }
          />
        ))}
      </Rows>
      {query.hasNextPage && (
        <Button className="mt-4" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
    </>
  );
}
