/** The help center of both roles (row J3): questions with search, own tickets, and moderation decisions. */

import { getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'react-router';
import { Claim } from '../modules/trust/copyright/claim.tsx';
import { Decisions } from '../modules/trust/moderation/decisions.tsx';
import { decisionsQuery, reportsQuery } from '../modules/trust/moderation/queries.ts';
import { Reports } from '../modules/trust/moderation/reports.tsx';
import { ticketQuery, ticketsQuery } from '../modules/trust/support/queries.ts';
import { searchHelpQuestions } from '../modules/trust/support/questions.ts';
import { NewTicket, TicketList, TicketThread } from '../modules/trust/support/tickets.tsx';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { awaitOnServer, loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { usePriceLimit } from '../platform/price-limits.ts';
import { apiQuery, useApi } from '../platform/query.ts';
import { Button } from '../ui/button.tsx';
import { Tabs } from '../ui/chips.tsx';
import { Icon } from '../ui/icon.tsx';
import { SearchForm } from '../ui/search-form.tsx';
import { EmptyState } from '../ui/states.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.help });

const termsQuery = () => apiQuery(getPlatformTerms, {});

const load: PageLoad<{ now: string }> = async ({ client, url }) => {
  const id = url.searchParams.get('ticket');
  await awaitOnServer(
    client.prefetchQuery(decisionsQuery()),
    client.prefetchQuery(reportsQuery()),
    client.ensureQueryData(termsQuery()),
    id === null ? client.prefetchInfiniteQuery(ticketsQuery()) : client.prefetchQuery(ticketQuery(id)),
  );
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function Questions({ path, side, search }: { path: string; side: 'fan' | 'creator'; search: string }) {
  const terms = useApi(getPlatformTerms, {});
  const prices = { ...terms.prices, post: usePriceLimit('post'), tip: usePriceLimit('tip') };
  const questions = searchHelpQuestions(side, search, { ...terms, prices });
  return (
    <section aria-label={texts.faq} className="pt-5">
      <SearchForm action={path} name="q" placeholder={texts.searchHelp} defaultValue={search} />
      {questions.length === 0 ? (
        <EmptyState
          line={texts.noResults}
          more={texts.contactSupportHint}
          action={<Button href={`${path}?tab=new`}>{texts.contactSupport}</Button>}
        />
      ) : (
        <div className="pt-4">
          {questions.map(({ title, answer }) => (
            <details key={title} className="group border-t border-line">
              <summary className="flex min-h-12 cursor-pointer items-center justify-between gap-3 py-2 font-semibold">
                {title}
                <Icon name="chevron-down" size={18} className="shrink-0 group-open:rotate-180" />
              </summary>
              <p className="pb-5 text-muted">{answer}</p>
            </details>
          ))}
        </div>
      )}
    </section>
  );
}

export default function Helpdesk() {
  const { now } = useLoaderData<typeof loader>();
  const { pathname: path } = useLocation();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const side = path === CASE_PATHS.creatorHelpdesk ? 'creator' : 'fan';
  const toTicketHref = (id: string) => `${path}?ticket=${id}`;
  const id = search.get('ticket');
  const tab = search.get('tab');
  if (id !== null)
    return (
      <div className="pb-16">
        <p className="-ml-2.5 pt-5">
          <Button icon="chevron-left" variant="quiet" href={`${path}?tab=tickets`}>
            {texts.yourSupportRequests}
          </Button>
        </p>
        <h1 className="display d2 pb-3">{texts.supportRequest}</h1>
        <TicketThread id={id} now={now} />
      </div>
    );
  const tabs = [
    { href: path, label: 'FAQ' },
    { href: `${path}?tab=tickets`, label: texts.yourSupportRequests },
    { href: `${path}?tab=new`, label: texts.contactSupport },
  ];
  const current = tab === 'tickets' || tab === 'new' ? `${path}?tab=${tab}` : path;
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8 pb-4">{texts.help}</h1>
      <Tabs label={texts.help} tabs={tabs} current={current} />
      {tab === 'tickets' && (
        <div className="pt-5">
          <TicketList now={now} toHref={toTicketHref} />
        </div>
      )}
      {tab === 'new' && (
        <div className="pt-5">
          <NewTicket onOpened={(opened) => void navigate(toTicketHref(opened))} />
        </div>
      )}
      {current === path && <Questions path={path} side={side} search={search.get('q') ?? ''} />}
      <Decisions now={now} renderClaim={(decision) => <Claim decision={decision} />} />
      <Reports now={now} />
    </div>
  );
}
