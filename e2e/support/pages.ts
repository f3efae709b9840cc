/** Every page of the route table by the role that can open it, with sample addresses. */
import { readFileSync } from 'node:fs';
import routes from '../../web/app/routes.ts';

type RouteEntry = (typeof routes)[number];
export type Area = 'visitor' | 'customer' | 'creator' | 'operator';
type AppPage = { pattern: string; area: Area };

const AREAS: Readonly<Record<string, Area>> = {
  './fan-area.tsx': 'customer',
  './creator-area.tsx': 'creator',
  './admin-area.tsx': 'operator',
};

/** Sample addresses of pages whose path is not enough. `{name}` is an id that the test passes. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': ['/', '/?search=zzzz'],
  '*': ['/no/such/page'],
  'profile/:id': ['/profile/{username}', '/profile/{username}?tab=media', '/profile/{username}?tab=about'],
  'post/:id': ['/post/{locked}', '/post/{open}'],
  'become-creator': ['/become-creator', '/become-creator?followers=20000&share=2&spend=3.33'],
  'how-works': ['/how-works', '/how-works?for=creators'],
  'terms-of-service': ['/terms-of-service', '/terms-of-service?version=2026-11-23'],
  'themes/:code': ['/themes/f4f3f0-2f5d50-derived-signage-0-hero-box-row-picture'],
  'fan/helpdesk': ['/fan/helpdesk', '/fan/helpdesk?tab=tickets', '/fan/helpdesk?tab=new'],
  'fan/media': ['/fan/media', '/fan/media?tab=chat'],
  'fan/wallet': ['/fan/wallet', '/fan/wallet?tab=deposits'],
  'fan/wallet/receipt/:id': ['/fan/wallet/receipt/{receipt}'],
  'fan/wallet/return': ['/fan/wallet/return?orderId=unknown'],
  'creator/earning': ['/creator/earning', '/creator/earning?period=yearly&kind=tip&range=30days&size=30'],
  'creator/helpdesk': ['/creator/helpdesk', '/creator/helpdesk?q=zzzz'],
  'creator/feed': [
    '/creator/feed',
    '/creator/feed?status=scheduled',
    '/creator/feed?status=drafts',
    '/creator/feed?status=removed',
  ],
  'creator/media': ['/creator/media', '/creator/media?use=unused&search=zzzz'],
  'creator/media/:id': ['/creator/media/{media}'],
  'creator/media/edit/:id': ['/creator/media/edit/{media}'],
  'creator/post/:id/edit': ['/creator/post/{post}/edit'],
};

/** Pages that are covered in all their states by the named test instead. */
const COVERED_ELSEWHERE: Readonly<Record<string, string>> = {
  consent: 'seo.spec.ts',
  'admin/calls/:id': 'admin-search.spec.ts',
  'admin/cases/:id': 'cases.spec.ts',
  'admin/ledger/accounts/:code': 'admin-ledger.spec.ts',
  'admin/ledger/transactions/:id': 'admin-ledger.spec.ts',
  'admin/payouts/:id': 'payouts.spec.ts',
  'admin/subscriptions/:id': 'admin-subscriptions.spec.ts',
  'admin/users/:id': 'admin-search.spec.ts',
  'admin/posts/:id': 'admin-search.spec.ts',
  'admin/verifications/:id': 'verification.spec.ts',
  'fan/chat': 'chat-resilience.spec.ts',
  'fan/chat/:conversationId': 'chat-resilience.spec.ts',
  'creator/chat': 'chat-resilience.spec.ts',
  'creator/chat/:conversationId': 'chat-resilience.spec.ts',
  'creator/post/:id/preview': 'drafts.spec.ts',
  'r/:id': 'referral.spec.ts',
  'dev/gallery': 'accessibility.spec.ts',
  'dev/mailbox': 'accessibility.spec.ts',
  'embed/post/:id': 'seo.spec.ts',
  'embed/profile/:id': 'seo.spec.ts',
  'embed/tip/:id': 'seo.spec.ts',
};

function flattenRoutes({ path, file, children }: RouteEntry, { pattern, area }: AppPage): AppPage[] {
  const current = {
    pattern: [pattern, path].filter(Boolean).join('/'),
    area: AREAS[file] ?? area,
  };
  if (children) return children.flatMap((child) => flattenRoutes(child, current));
  return file.endsWith('.tsx') ? [current] : [];
}

const PAGES = routes.flatMap((entry) => flattenRoutes(entry, { pattern: '', area: 'visitor' }));

function fillTemplate(template: string, ids: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (ids[name] === undefined)
      throw new Error(`${template} needs the id of a ${name}, which this journey gives none of`);
    return ids[name];
  });
}

/** What is wrong with the entry of a page in this file, with the line to add. Undefined when nothing is. */
function findProblem(pattern: string): string | undefined {
  const coveredBy = COVERED_ELSEWHERE[pattern];
  if (coveredBy) {
    const [start] = `/${pattern}`.split('/:');
    const journey = readFileSync(new URL(`../${coveredBy}`, import.meta.url), 'utf8');
    return journey.replaceAll('\\/', '/').includes(`${start}`)
      ? undefined
      : `e2e/${coveredBy} does not go to ${start}: COVERED_ELSEWHERE in e2e/support/pages.ts says so`;
  }
  if (SAMPLES[pattern] || !/[:*?]/.test(pattern)) return undefined;
  const address = `/${pattern}`.replace(/:(\w+)\??/g, '{$1}');
  return `The page ${pattern} of web/app/routes.ts has no address that journeys could go to; add to SAMPLES in e2e/support/pages.ts: '${pattern}': ['${address}'],`;
}

function listSamples(pattern: string): readonly string[] {
  const problem = findProblem(pattern);
  if (problem !== undefined) throw new Error(problem);
  return COVERED_ELSEWHERE[pattern] ? [] : (SAMPLES[pattern] ?? [`/${pattern}`]);
}

/** Lists each page without an address and each entry of this file without a page, one line each. */
export function checkPages(): string[] {
  const known = new Set(PAGES.map(({ pattern }) => pattern));
  const removed = [...Object.keys(SAMPLES), ...Object.keys(COVERED_ELSEWHERE)].filter((pattern) => !known.has(pattern));
  return [
    ...[...known].flatMap((pattern) => findProblem(pattern) ?? []),
    ...removed.map(
      (pattern) => `No page of web/app/routes.ts has the path ${pattern}: remove it from e2e/support/pages.ts`,
    ),
  ];
}

/** The sample addresses of all pages that only this role, or with `visitor` everyone, can open. */
export function listPageAddresses(
  area: Area,
  ids: Readonly<Record<string, string>>,
  pages: readonly AppPage[] = PAGES,
): string[] {
  return pages
    .filter((page) => page.area === area)
    .flatMap(({ pattern }) => listSamples(pattern).map((template) => fillTemplate(template, ids)));
}
