/** Where the desk begins: what waits for an operator. */
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { deskQuery } from '../../features/desk/entries.ts';
import { Waiting } from '../../features/desk/waiting.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Desk' });

const load = deskLoad(({ client }) => begin(client.ensureQueryData({ ...deskQuery(), revalidateIfStale: true })));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function DeskPage() {
  const { now } = useLoaderData<typeof loader>();
  return (
    <DeskList title="What waits">
      <Waiting now={now} />
    </DeskList>
  );
}
