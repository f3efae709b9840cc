import { creatorThreadPath, postPath } from '@stagedoor/contract/addresses.ts';
import { listTeamActs, type TeamAct } from '@stagedoor/contract/team.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { formatExact } from '../../kernel/dates.ts';
import { apiInfiniteQuery } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';

export const actsQuery = () => apiInfiniteQuery(listTeamActs, { query: { limit: 30 } });

function hrefOf({ subject }: TeamAct): string | undefined {
  const [, kind, id] = /(?:^| )(conversationId|post):([0-9a-f-]{36})(?: |$)/.exec(subject) ?? [];
  if (!id) return undefined;
  return kind === 'post' ? postPath(id) : creatorThreadPath(id);
}

export function Acts() {
  const found = useInfiniteQuery(actsQuery());
  if (!found.data)
    return found.isError ? <ErrorState onRetry={() => void found.refetch()} /> : <SkeletonRows count={3} />;
  const acts = found.data.pages.flatMap(({ data }) => data);
  if (acts.length === 0)
    return <p className="text-muted">No activity yet. Everything your team does is logged here.</p>;
  return (
    <>
      <Rows label="Team activity">
        {acts.map((act) => (
          <Row
            key={act.id}
            lead={<Avatar name={act.member.name} src={act.member.avatarUrl ?? undefined} />}
            title={act.isRefused ? `${act.what}: denied` : act.what}
            href={hrefOf(act)}
            sub={<span className="num whitespace-normal">{`${act.member.name} · ${formatExact(act.at)}`}</span>}
          />
        ))}
      </Rows>
      {found.hasNextPage && (
        <Button className="mt-4" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
