import { listAlarms } from '@stagedoor/contract/ledger-desk.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import { readState } from '@stagedoor/contract/state-desk.ts';
import { useQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { deskQuery } from '../../features/desk/entries.ts';
import { glanceQuery } from '../../features/desk/state/queries.ts';
import { StateStrip } from '../../features/desk/state/strip.tsx';
import { Waiting } from '../../features/desk/waiting.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { rolesOf, useMay } from '../../kernel/operator.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Console' });

const load = deskLoad(async ({ client }) => {
  const waiting = client.ensureQueryData({ ...deskQuery(), revalidateIfStale: true });
  if (!operatorMay(await rolesOf(client), readState)) return begin(waiting);
  return begin(waiting, client.prefetchQuery(glanceQuery()));
});
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function DeskPage() {
  const { now } = useLoaderData<typeof loader>();
  const waiting = useQuery(deskQuery()).data?.data;
  const [mayState, mayAlarms] = [useMay(readState), useMay(listAlarms)];
  const alarms = waiting?.find(({ kind }) => kind === 'alarms')?.count ?? 0;
  return (
    <DeskList title="Work queue">
      {mayState && waiting && <StateStrip alarms={mayAlarms ? alarms : undefined} />}
      <Waiting now={now} />
    </DeskList>
  );
}
