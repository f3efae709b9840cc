import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import { AuditChainStatus, AuditFields, AuditRows } from '../../modules/admin/ledger-explorer/audit.tsx';
import { AdminPage } from '../../modules/admin/ledger-explorer/parts.tsx';
import { auditFilterOptionsQuery, auditQuery, parseAuditFilters } from '../../modules/admin/ledger-explorer/queries.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer } from '../../platform/page-data.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { CountedListing } from '../fan/listing.tsx';
import { createAdminLoad } from './admin-load.ts';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.auditLog });

const load = createAdminLoad(({ client, url }) =>
  awaitOnServer(
    client.ensureInfiniteQueryData({ ...auditQuery(parseAuditFilters(url.searchParams)), revalidateIfStale: true }),
    client.ensureQueryData(auditFilterOptionsQuery()),
  ),
);
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Audit() {
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = parseAuditFilters(search);
  return (
    <AdminPage title={texts.auditLog}>
      <AuditChainStatus />
      <AuditFields filters={filters} />
      <CountedListing
        query={useInfiniteQuery(auditQuery(filters))}
        empty={
          <EmptyState
            line={texts.noMatchingEntries}
            action={<Button href={ADMIN_PATHS.adminAudit}>{texts.clearFilters}</Button>}
          />
        }
      >
        {(entries) => <AuditRows entries={entries} now={now} />}
      </CountedListing>
    </AdminPage>
  );
}
