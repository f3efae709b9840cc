/** What operators did, with filters in the address. */
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { AuditFields, AuditRows, Chain } from '../../features/ledger-desk/audit.tsx';
import { DeskPage } from '../../features/ledger-desk/parts.tsx';
import { auditFilters, auditQuery, auditWordsQuery } from '../../features/ledger-desk/queries.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { begin, inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Audit log' });

const load: PageLoad<{ now: string }> = async ({ client, url, viewer }) => {
  const query = { ...auditQuery(auditFilters(url.searchParams)), revalidateIfStale: true };
  if ((await viewer())?.isTwoFactorEnabled)
    await begin(client.ensureInfiniteQueryData(query), client.ensureQueryData(auditWordsQuery()));
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Audit() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = auditFilters(search);
  return (
    <DeskPage title="Audit log">
      <Chain />
      <AuditFields filters={filters} />
      <CountedListing
        query={useInfiniteQuery(auditQuery(filters))}
        empty={
          <EmptyState
            line="Nothing that fits was noted."
            action={<Button href={DESK_PATHS.adminAudit}>Show everything</Button>}
          />
        }
      >
        {(entries) => <AuditRows entries={entries} now={now} />}
      </CountedListing>
    </DeskPage>
  );
}
