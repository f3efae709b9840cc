import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { PushFaultRows, pushFaultsQuery } from '../../modules/admin/console/push/faults.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.push });

const load = createAdminLoad(({ client }) =>
  awaitOnServer(client.ensureQueryData({ ...pushFaultsQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Push() {
  const { now } = useLoaderData<typeof loader>();
  const { data, isError, refetch } = useQuery(pushFaultsQuery());
  return (
    <AdminList title={texts.push}>
      {data === undefined ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows count={3} />
        )
      ) : data.data.length === 0 ? (
        <EmptyState line={texts.allPushServicesAreWorking} />
      ) : (
        <PushFaultRows faults={data.data} now={now} />
      )}
    </AdminList>
  );
}
