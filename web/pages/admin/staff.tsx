import { inviteStaffMember, listStaffChanges, SECOND_APPROVER_DAYS } from '@stagedoor/contract/admin/staff.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { StaffChanges, staffChangesQuery } from '../../modules/admin/console/staff/staff-changes.tsx';
import { InviteStaffForm, StaffRows, staffQuery } from '../../modules/admin/console/staff/staff-rows.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { useCanCallRoute } from '../../platform/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { FocusedHeading, SectionHead } from '../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.staff });

const load = createAdminLoad(({ client }) =>
  awaitOnServer(
    client.ensureQueryData({ ...staffQuery(), revalidateIfStale: true }),
    client.ensureInfiniteQueryData({ ...staffChangesQuery(), revalidateIfStale: true }),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Members({ now }: { now: string }) {
  const query = useQuery(staffQuery());
  if (query.data) return <StaffRows members={query.data.data} now={now} />;
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  return <SkeletonRows count={4} />;
}

export default function StaffPage() {
  const { now } = useLoaderData<typeof loader>();
  const [canInvite, canReadChanges] = [useCanCallRoute(inviteStaffMember), useCanCallRoute(listStaffChanges)];
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 lg:pt-8">
      <FocusedHeading>{texts.staff}</FocusedHeading>
      <p className="text-small text-muted">{formatText(texts.staffIntro, { days: SECOND_APPROVER_DAYS })}</p>
      <Members now={now} />
      {canInvite && (
        <section aria-labelledby="invite" className="grid gap-3 pt-4">
          <SectionHead id="invite" title={texts.inviteStaff} />
          <InviteStaffForm />
        </section>
      )}
      {canReadChanges && (
        <section aria-labelledby="team-changes" className="grid gap-3 pt-4">
          <SectionHead id="team-changes" title={texts.changeHistory} />
          <StaffChanges />
        </section>
      )}
    </div>
  );
}
