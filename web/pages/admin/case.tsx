/** One case on the desk; after a decision the next one that waits. */
import { casePath, PATHS } from '@stagedoor/contract/addresses.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
  useParams,
} from 'react-router';
import { DeskCase } from '../../features/desk/cases/case.tsx';
import { answersQuery, caseQuery, inboxQuery } from '../../features/desk/cases/queries.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { flush: true, width: 'full' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Case' });

const load = deskLoad(({ client, params }) =>
  Promise.all([
    client.ensureQueryData({ ...caseQuery(params.id ?? ''), revalidateIfStale: true }),
    client.prefetchQuery(answersQuery()),
  ]),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const OPEN = { view: 'open' } as const;

export default function CasePage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data } = useSuspenseQuery(caseQuery(id));
  const move = async (step: 1 | -1) => {
    const inbox = await client.fetchInfiniteQuery(inboxQuery(OPEN)).catch(() => undefined);
    const ids = inbox?.pages.flatMap((page) => page.data.map((line) => String(line.id))) ?? [];
    const at = ids.indexOf(id);
    const next = at < 0 ? ids[0] : ids[at + step];
    if (next !== undefined && next !== id) await navigate(casePath(next));
    else if (at < 0) await navigate(PATHS.adminCases);
  };
  // Another standing offers other acts: what was written for the one before is let go of.
  return (
    <DeskCase
      key={`${id} ${data.state}`}
      view={data}
      now={now}
      onDecided={(after) => client.setQueryData(caseQuery(id).queryKey, after)}
      onMove={(step) => void move(step)}
    />
  );
}
