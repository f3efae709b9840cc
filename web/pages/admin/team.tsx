import { inviteOperator, listTeamChanges, SECOND_PERSON_DAYS } from '@stagedoor/contract/operators.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { TeamChanges, teamChangesQuery } from '../../features/desk/team/changes.tsx';
import { Invite, TeamRows, teamQuery } from '../../features/desk/team/rows.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { useMay } from '../../kernel/operator.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { FocusHead, SectionHead } from '../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Staff' });

const load = deskLoad(({ client }) =>
  begin(
    client.ensureQueryData({ ...teamQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...teamChangesQuery(), revalidateIfStale: true }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Members({ now }: { now: string }) {
  const query = useQuery(teamQuery());
  if (query.data) return <TeamRows members={query.data.data} now={now} />;
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  return <SkeletonRows count={4} />;
}

export default function Team() {
  const { now } = useLoaderData<typeof loader>();
  const [mayInvite, mayReadChanges] = [useMay(inviteOperator), useMay(listTeamChanges)];
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 lg:pt-8">
      <FocusHead>Staff</FocusHead>
      <p className="text-small text-muted">
        Staff see only what their roles allow and need two-factor authentication. Idle sessions end quickly. New roles
        allow second approvals after {SECOND_PERSON_DAYS} days.
      </p>
      <Members now={now} />
      {mayInvite && (
        <section aria-labelledby="invite" className="grid gap-3 pt-4">
          <SectionHead id="invite" title="Invite staff" />
          <Invite />
        </section>
      )}
      {mayReadChanges && (
        <section aria-labelledby="team-changes" className="grid gap-3 pt-4">
          <SectionHead id="team-changes" title="Change history" />
          <TeamChanges />
        </section>
      )}
    </div>
  );
}
