import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { BookSettlement } from '../../modules/admin/console/settlements/book.tsx';
import { SettlementRows, SettlementStats, settlementsQuery } from '../../modules/admin/console/settlements/rows.tsx';
import { AdminPage } from '../../modules/admin/ledger-explorer/parts.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide', nav: ADMIN_PATHS.adminLedger };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.settlements });

const load = createAdminLoad(({ client }) =>
  awaitOnServer(client.ensureInfiniteQueryData({ ...settlementsQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Settlements() {
  const query = useInfiniteQuery(settlementsQuery());
  const newest = query.data?.pages[0];
  return (
    <AdminPage
      title={texts.settlements}
      back={{ href: ADMIN_PATHS.adminLedger, label: texts.ledger }}
      end={<Button href={ADMIN_PATHS.adminReconciliation}>{texts.reconciliation}</Button>}
    >
      {newest && <SettlementStats owed={newest.owed} bank={newest.bank} />}
      {newest && <BookSettlement owed={newest.owed} today={newest.today} />}
      <section aria-labelledby="booked" className="grid gap-4">
        <SectionHead id="booked" title={texts.recordedSettlements} />
        <CountedListing query={query} empty={<EmptyState line={texts.noSettlementsRecordedYet} />}>
          {(settlements) => <SettlementRows settlements={settlements} />}
        </CountedListing>
      </section>
    </AdminPage>
  );
}
