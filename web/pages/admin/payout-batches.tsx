import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { BatchRows, batchesQuery } from '../../features/desk/payouts/batches.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { DeskList } from './desk-list.tsx';
import { deskLoad } from './desk-load.ts';

export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Payout batches' });

const load = deskLoad(({ client }) =>
  begin(client.ensureInfiniteQueryData({ ...batchesQuery(), revalidateIfStale: true })),
);
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function PayoutBatches() {
  const { now } = useLoaderData<typeof loader>();
  const query = useInfiniteQuery(batchesQuery());
  return (
    <DeskList
      title="Payout batches"
      back={{ href: `${DESK_PATHS.adminPayouts}?queue=toSend`, words: 'Payouts to send' }}
    >
      <CountedListing query={query} empty={<EmptyState line="No batches yet" />}>
        {(batches) => <BatchRows batches={batches} now={now} />}
      </CountedListing>
    </DeskList>
  );
}
