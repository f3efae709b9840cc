import { useQuery } from '@tanstack/react-query';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { stateQuery } from '../../features/desk/state/queries.ts';
import { State } from '../../features/desk/state/state.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { FocusHead } from '../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'System status' });

const load = deskLoad(({ client }) => begin(client.ensureQueryData({ ...stateQuery(), revalidateIfStale: true })));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function StateDesk() {
  const { data, isError, isFetching, refetch } = useQuery(stateQuery());
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 pb-8 lg:pt-8">
      <FocusHead>System status</FocusHead>
      {data ? (
        <State state={data} />
      ) : isError ? (
        <ErrorState onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </div>
  );
}
