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
import { begin, inBrowser, onServer } from '../../kernel/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { deskLoad } from './desk-load.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Audit log' });

const load = deskLoad(({ client, url }) =>
  begin(
    client.ensureInfiniteQueryData({ ...auditQuery(auditFilters(url.searchParams)), revalidateIfStale: true }),
    client.ensureQueryData(auditWordsQuery()),
  ),
);
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
          <EmptyState line="No matching entries" action={<Button href={DESK_PATHS.adminAudit}>Clear filters</Button>} />
        }
      >
        {(entries) => <AuditRows entries={entries} now={now} />}
      </CountedListing>
    </DeskPage>
  );
}
