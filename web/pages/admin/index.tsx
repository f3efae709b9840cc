import { listAlarms } from '@stagedoor/contract/admin-ledger.ts';
import { getSystemStatus } from '@stagedoor/contract/admin-system-status.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/operator-rights.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { workQueueQuery } from '../../features/desk/nav-entries.ts';
import { statusSummaryQuery } from '../../features/desk/state/queries.ts';
import { StatusStrip } from '../../features/desk/state/status-strip.tsx';
import { WorkQueue } from '../../features/desk/work-queue.tsx';
import { createPageMeta } from '../../kernel/meta.ts';
import { loadRoles, useCanCallRoute } from '../../kernel/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../kernel/page-data.ts';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Console' });

const load = createAdminLoad(async ({ client }) => {
  const workQueue = client.ensureQueryData({ ...workQueueQuery(), revalidateIfStale: true });
  if (!canOperatorCallRoute(await loadRoles(client), getSystemStatus)) return awaitOnServer(workQueue);
  return awaitOnServer(workQueue, client.prefetchQuery(statusSummaryQuery()));
});
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function AdminHome() {
  const { now } = useLoaderData<typeof loader>();
  const workQueue = useQuery(workQueueQuery()).data?.data;
  const [canSeeStatus, canListAlarms] = [useCanCallRoute(getSystemStatus), useCanCallRoute(listAlarms)];
  const alarms = workQueue?.find(({ kind }) => kind === 'alarms')?.count ?? 0;
  return (
    <AdminList title="Work queue">
      {canSeeStatus && workQueue && <StatusStrip alarms={canListAlarms ? alarms : undefined} />}
      <WorkQueue now={now} />
    </AdminList>
  );
}
