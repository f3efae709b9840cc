import { ADMIN_PATHS, adminVerificationPath } from '@stagedoor/contract/admin/addresses.ts';
import { getWorkQueue } from '@stagedoor/contract/admin/work-queue.ts';
import { listVerifications } from '@stagedoor/contract/compliance/verification.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useNavigate,
  useParams,
} from 'react-router';
import { adminVerificationQuery, verificationQueueQuery } from '../../modules/compliance/verification/admin/queries.ts';
import { DECISIONS, type Decision } from '../../modules/compliance/verification/admin/reasons.ts';
import { AdminVerificationRecord } from '../../modules/compliance/verification/admin/verification-record.tsx';
import { showToast } from '../../platform/feedback.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { routeKey } from '../../platform/query.ts';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { flush: true, width: 'full' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.verification });

const load = createAdminLoad(({ client, params }) => client.ensureQueryData(adminVerificationQuery(params.id ?? '')));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function VerificationCase() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data } = useSuspenseQuery(adminVerificationQuery(id));
  const showNext = async (outcome: Decision | 'over') => {
    if (outcome === 'over') return client.invalidateQueries({ queryKey: adminVerificationQuery(id).queryKey });
    void showToast(DECISIONS[outcome].done, 'success');
    client.removeQueries({ queryKey: routeKey(listVerifications) });
    void client.invalidateQueries({ queryKey: routeKey(getWorkQueue) });
    const submitted = await client.fetchInfiniteQuery(verificationQueueQuery('submitted')).catch(() => undefined);
    const next = submitted?.pages[0]?.data.find(({ creator }) => creator.id !== id);
    await navigate(next ? adminVerificationPath(next.creator.id) : ADMIN_PATHS.adminVerifications);
    client.removeQueries({ queryKey: adminVerificationQuery(id).queryKey });
  };
  return <AdminVerificationRecord key={id} view={data} now={now} onDecided={(outcome) => void showNext(outcome)} />;
}
