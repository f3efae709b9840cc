import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { operatorReadsQueue } from '@stagedoor/contract/operator-rights.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
} from 'react-router';
import { Person } from '../../features/desk/lookup/person.tsx';
import { personQuery } from '../../features/desk/lookup/queries.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { useRoles } from '../../kernel/operator.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Person' });

const load = deskLoad(({ client, params }) => client.ensureQueryData(personQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function PersonPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const { data } = useSuspenseQuery(personQuery(id));
  const mayCases = operatorReadsQueue(useRoles(), 'reports');
  return (
    <DeskList key={id} title={data.name} back={{ href: DESK_PATHS.adminSearch, words: 'Search' }}>
      <Person view={data} now={now} mayCases={mayCases} />
    </DeskList>
  );
}
