import { listApprovals } from '@stagedoor/contract/admin/approvals.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import {
  approvalsQuery,
  DecidedApprovals,
  PendingApproval,
} from '../../modules/admin/console/approvals/pending-approval.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import { loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { useApi } from '../../platform/query.ts';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AdminList } from './admin-list.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.needsSecondApproval });

const load = createAdminLoad(({ client }) => client.ensureQueryData({ ...approvalsQuery(), revalidateIfStale: true }));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function ApprovalsPage() {
  const { data, decided } = useApi(listApprovals, {});
  return (
    <AdminList title={texts.needsSecondApproval}>
      {data.length === 0 && <EmptyState line={texts.nothingAwaitingSecondApproval} more={texts.approvalsIntro} />}
      {data.map((approval) => (
        <PendingApproval key={approval.id} approval={approval} hasSubjectLink />
      ))}
      {decided.length > 0 && (
        <section aria-labelledby="ended" className="pt-6">
          <SectionHead id="ended" title={texts.recentlyDecided} />
          <DecidedApprovals approvals={decided} />
        </section>
      )}
    </AdminList>
  );
}
