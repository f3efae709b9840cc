import { listAlarms } from '@stagedoor/contract/admin/ledger.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import { getSystemStatus } from '@stagedoor/contract/admin/system-status.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { workQueueQuery } from '../../modules/admin/console/nav-entries.ts';
import { statusSummaryQuery } from '../../modules/admin/console/system-status/queries.ts';
import { StatusStrip } from '../../modules/admin/console/system-status/status-strip.tsx';
import { WorkQueue } from '../../modules/admin/console/work-queue.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { loadRoles, useCanCallRoute } from '../../platform/operator.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.console });

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
    <AdminList title={texts.workQueue}>
      {canSeeStatus && workQueue && <StatusStrip alarms={canListAlarms ? alarms : undefined} />}
      <WorkQueue now={now} />
    </AdminList>
  );
}
