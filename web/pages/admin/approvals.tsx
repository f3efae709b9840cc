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

export const meta = (args: MetaArgs) => createPageMeta(args, { title: 'Needs second approval' });

const load = createAdminLoad(({ client }) => client.ensureQueryData({ ...approvalsQuery(), revalidateIfStale: true }));
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function ApprovalsPage() {
  const { data, decided } = useApi(listApprovals, {});
  return (
    <AdminList title="Needs second approval">
      {data.length === 0 && (
        <EmptyState
          line="Nothing awaiting second approval"
          more="Large refunds, chargeback reversals and write-offs wait here for a second approval."
        />
      )}
      {data.map((approval) => (
        <PendingApproval key={approval.id} approval={approval} hasSubjectLink />
      ))}
      {decided.length > 0 && (
        <section aria-labelledby="ended" className="pt-6">
          <SectionHead id="ended" title="Recently decided" />
          <DecidedApprovals approvals={decided} />
        </section>
      )}
    </AdminList>
  );
}
