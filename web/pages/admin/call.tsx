import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
} from 'react-router';
import { CallView } from '../../features/desk/lookup/call.tsx';
import { callQuery } from '../../features/desk/lookup/queries.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Call' });

const load = deskLoad(({ client, params }) => client.ensureQueryData(callQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function CallPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const { data } = useSuspenseQuery(callQuery(id));
  return (
    <DeskList key={id} title="Call" back={{ href: DESK_PATHS.adminSearch, words: 'Search' }}>
      <CallView view={data} now={now} />
    </DeskList>
  );
}
