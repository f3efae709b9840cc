import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { BookSettlement } from '../../features/desk/settlements/book.tsx';
import { SettlementRows, Standing, settlementsQuery } from '../../features/desk/settlements/rows.tsx';
import { DeskPage } from '../../features/ledger-desk/parts.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { width: 'wide', nav: DESK_PATHS.adminLedger };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Settlements' });

const load = deskLoad(({ client }) =>
  begin(client.ensureInfiniteQueryData({ ...settlementsQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Settlements() {
  const query = useInfiniteQuery(settlementsQuery());
  const newest = query.data?.pages[0];
  return (
    <DeskPage
      title="Settlements"
      back={{ href: DESK_PATHS.adminLedger, words: 'Ledger' }}
      end={<Button href={DESK_PATHS.adminReconciliation}>Reconciliation</Button>}
    >
      {newest && <Standing owed={newest.owed} bank={newest.bank} />}
      {newest && <BookSettlement owed={newest.owed} today={newest.today} />}
      <section aria-labelledby="booked" className="grid gap-4">
        <SectionHead id="booked" title="Recorded settlements" />
        <CountedListing query={query} empty={<EmptyState line="No settlements recorded yet" />}>
          {(settlements) => <SettlementRows settlements={settlements} />}
        </CountedListing>
      </section>
    </DeskPage>
  );
}
