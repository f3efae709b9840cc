import { operatorDesk } from '@stagedoor/contract/desk.ts';
import { DESK_PATHS, verificationCasePath } from '@stagedoor/contract/desk-addresses.ts';
import { listVerifications } from '@stagedoor/contract/verification.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
  useParams,
} from 'react-router';
import { CaseView } from '../../features/verification/desk/case.tsx';
import { caseQuery, queueQuery } from '../../features/verification/desk/queries.ts';
import { DECISIONS, type Decision } from '../../features/verification/desk/reasons.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { showToast } from '../../kernel/outcome.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer } from '../../kernel/page-data.ts';
import { routeKey } from '../../kernel/query.ts';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { flush: true, width: 'full' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Verification' });

const load = deskLoad(({ client, params }) => client.ensureQueryData(caseQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function VerificationCase() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data } = useSuspenseQuery(caseQuery(id));
  const goOn = async (outcome: Decision | 'over') => {
    if (outcome === 'over') return client.invalidateQueries({ queryKey: caseQuery(id).queryKey });
    void showToast(DECISIONS[outcome].done, 'success');
    client.removeQueries({ queryKey: routeKey(listVerifications) });
    void client.invalidateQueries({ queryKey: routeKey(operatorDesk) });
    const waiting = await client.fetchInfiniteQuery(queueQuery('submitted')).catch(() => undefined);
    const next = waiting?.pages[0]?.data.find(({ creator }) => creator.id !== id);
    await navigate(next ? verificationCasePath(next.creator.id) : DESK_PATHS.adminVerifications);
    client.removeQueries({ queryKey: caseQuery(id).queryKey });
  };
  return <CaseView key={id} view={data} now={now} onDecided={(outcome) => void goOn(outcome)} />;
}
