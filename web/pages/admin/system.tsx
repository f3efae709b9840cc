import { useQuery } from '@tanstack/react-query';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { systemStatusQuery } from '../../modules/admin/console/system-status/queries.ts';
import { SystemStatusView } from '../../modules/admin/console/system-status/system-status.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { FocusedHeading } from '../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.systemStatus });

const load = createAdminLoad(({ client }) =>
  awaitOnServer(client.ensureQueryData({ ...systemStatusQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function SystemStatusPage() {
  const { data, isError, isFetching, refetch } = useQuery(systemStatusQuery());
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 pb-8 lg:pt-8">
      <FocusedHeading>{texts.systemStatus}</FocusedHeading>
      {data ? (
        <SystemStatusView systemStatus={data} />
      ) : isError ? (
        <ErrorState onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </div>
  );
}
