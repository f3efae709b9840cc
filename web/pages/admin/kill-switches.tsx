import { listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { SwitchHistory, SwitchRows } from '../../modules/admin/console/kill-switches/rows.tsx';
import { killSwitchesQuery, switchHistoryQuery } from '../../modules/admin/console/kill-switches/switch-texts.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { loadRoles, useCanCallRoute } from '../../platform/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { FocusedHeading, SectionHead } from '../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.killSwitches });

const load = createAdminLoad(async ({ client }) => {
  const switches = client.ensureQueryData({ ...killSwitchesQuery(), revalidateIfStale: true });
  if (!canOperatorCallRoute(await loadRoles(client), listAuditEntries)) return awaitOnServer(switches);
  return awaitOnServer(switches, client.ensureInfiniteQueryData({ ...switchHistoryQuery(), revalidateIfStale: true }));
});
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function KillSwitchList({ now }: { now: string }) {
  const query = useQuery(killSwitchesQuery());
  if (query.data) return <SwitchRows switches={query.data.data} now={now} />;
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  return <SkeletonRows count={8} />;
}

export default function KillSwitchesPage() {
  const { now } = useLoaderData<typeof loader>();
  const canReadChanges = useCanCallRoute(listAuditEntries);
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 pb-8 lg:pt-8">
      <FocusedHeading>{texts.killSwitches}</FocusedHeading>
      <p className="text-small text-muted">{texts.killSwitchesIntro}</p>
      <KillSwitchList now={now} />
      {canReadChanges && (
        <section aria-labelledby="turns" className="grid gap-3 pt-4">
          <SectionHead id="turns" title={texts.history} />
          <SwitchHistory />
        </section>
      )}
    </div>
  );
}
