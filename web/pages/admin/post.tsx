import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
} from 'react-router';
import { Post } from '../../features/desk/lookup/post.tsx';
import { postQuery } from '../../features/desk/lookup/queries.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Post' });

const load = deskLoad(({ client, params }) => client.ensureQueryData(postQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function PostPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const { data } = useSuspenseQuery(postQuery(id));
  return (
    <DeskList key={id} title={data.title || 'Untitled post'} back={{ href: DESK_PATHS.adminSearch, words: 'Search' }}>
      <Post view={data} now={now} />
    </DeskList>
  );
}
