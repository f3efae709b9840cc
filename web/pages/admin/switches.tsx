import { listAudit } from '@stagedoor/contract/audit.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { SwitchRows, Turns } from '../../features/desk/switches/rows.tsx';
import { switchesQuery, turnsQuery } from '../../features/desk/switches/words.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { rolesOf, useMay } from '../../kernel/operator.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { FocusHead, SectionHead } from '../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Kill switches' });

const load = deskLoad(async ({ client }) => {
  const switches = client.ensureQueryData({ ...switchesQuery(), revalidateIfStale: true });
  if (!operatorMay(await rolesOf(client), listAudit)) return begin(switches);
  return begin(switches, client.ensureInfiniteQueryData({ ...turnsQuery(), revalidateIfStale: true }));
});
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function Switches({ now }: { now: string }) {
  const query = useQuery(switchesQuery());
  if (query.data) return <SwitchRows switches={query.data.data} now={now} />;
  if (query.isError) return <ErrorState onRetry={() => void query.refetch()} busy={query.isFetching} />;
  return <SkeletonRows count={8} />;
}

export default function SwitchesDesk() {
  const { now } = useLoaderData<typeof loader>();
  const mayReadTurns = useMay(listAudit);
  return (
    <div className="grid max-w-[860px] content-start gap-6 pt-5 pb-8 lg:pt-8">
      <FocusHead>Kill switches</FocusHead>
      <p className="text-small text-muted">
        Turn features off on all servers within seconds. Users see a message. Payments in progress continue.
      </p>
      <Switches now={now} />
      {mayReadTurns && (
        <section aria-labelledby="turns" className="grid gap-3 pt-4">
          <SectionHead id="turns" title="History" />
          <Turns />
        </section>
      )}
    </div>
  );
}
