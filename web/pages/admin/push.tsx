import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { FaultRows, faultsQuery } from '../../features/desk/push/faults.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Push' });

const load = deskLoad(({ client }) => begin(client.ensureQueryData({ ...faultsQuery(), revalidateIfStale: true })));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Push() {
  const { now } = useLoaderData<typeof loader>();
  const { data, isError, refetch } = useQuery(faultsQuery());
  return (
    <DeskList title="Push">
      {data === undefined ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows count={3} />
        )
      ) : data.data.length === 0 ? (
        <EmptyState line="All push services are working." />
      ) : (
        <FaultRows faults={data.data} now={now} />
      )}
    </DeskList>
  );
}
