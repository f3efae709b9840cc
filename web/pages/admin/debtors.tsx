import { useInfiniteQuery } from '@tanstack/react-query';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { DebtorRows, debtorsQuery } from '../../features/desk/debtors/rows.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Outstanding balances' });

const load = deskLoad(({ client }) =>
  begin(client.ensureInfiniteQueryData({ ...debtorsQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function DebtorsDesk() {
  const query = useInfiniteQuery(debtorsQuery());
  return (
    <DeskList title="Outstanding balances">
      <CountedListing query={query} empty={<EmptyState line="No outstanding balances" />}>
        {(debtors) => <DebtorRows debtors={debtors} />}
      </CountedListing>
    </DeskList>
  );
}
