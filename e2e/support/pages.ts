/** Every page of the route table by the role that can open it, with sample addresses. */
import { readFileSync } from 'node:fs';
import routes from '../../web/app/routes.ts';

type Entry = (typeof routes)[number];
export type Area = 'visitor' | 'customer' | 'creator' | 'operator';
type Place = { pattern: string; area: Area };

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
  'themes/:code': ['/themes/f4f3f0-2f5d50-made-signage-0-hero-box-row-picture'],
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
const HELD: Readonly<Record<string, string>> = {
  agree: 'found.spec.ts',
  'admin/calls/:id': 'lookup.spec.ts',
  'admin/cases/:id': 'cases.spec.ts',
  'admin/ledger/accounts/:code': 'ledger-desk.spec.ts',
  'admin/ledger/transactions/:id': 'ledger-desk.spec.ts',
  'admin/payouts/:id': 'admin.spec.ts',
  'admin/people/:id': 'lookup.spec.ts',
  'admin/posts/:id': 'lookup.spec.ts',
  'admin/verifications/:id': 'verification.spec.ts',
  'fan/chat': 'chat-lasting.spec.ts',
  'fan/chat/:conversationId': 'chat-lasting.spec.ts',
  'creator/chat': 'chat-lasting.spec.ts',
  'creator/chat/:conversationId': 'chat-lasting.spec.ts',
  'creator/post/:id/preview': 'drafts.spec.ts',
  'r/:id': 'referral.spec.ts',
  'dev/gallery': 'accessible.spec.ts',
  'dev/mailbox': 'accessible.spec.ts',
  'embed/post/:id': 'found.spec.ts',
  'embed/profile/:id': 'found.spec.ts',
  'embed/tip/:id': 'found.spec.ts',
};

function placesOf({ path, file, children }: Entry, { pattern, area }: Place): Place[] {
  const here = {
    pattern: [pattern, path].filter(Boolean).join('/'),
    area: AREAS[file] ?? area,
  };
  if (children) return children.flatMap((child) => placesOf(child, here));
  return file.endsWith('.tsx') ? [here] : [];
}

const PLACES = routes.flatMap((entry) => placesOf(entry, { pattern: '', area: 'visitor' }));

function fill(template: string, ids: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (ids[name] === undefined)
      throw new Error(`${template} needs the id of a ${name}, which this journey gives none of`);
    return ids[name];
  });
}

/** What is wrong with the entry of a page in this file, with the line to add. Undefined when nothing is. */
function faultOf(pattern: string): string | undefined {
  const held = HELD[pattern];
  if (held) {
    const [start] = `/${pattern}`.split('/:');
    const journey = readFileSync(new URL(`../${held}`, import.meta.url), 'utf8');
    return journey.replaceAll('\\/', '/').includes(`${start}`)
      ? undefined
      : `e2e/${held} does not go to ${start}: HELD in e2e/support/pages.ts says so`;
  }
  if (SAMPLES[pattern] || !/[:*?]/.test(pattern)) return undefined;
  const address = `/${pattern}`.replace(/:(\w+)\??/g, '{$1}');
  return `The page ${pattern} of web/app/routes.ts has no address that journeys could go to; add to SAMPLES in e2e/support/pages.ts: '${pattern}': ['${address}'],`;
}

function samplesOf(pattern: string): readonly string[] {
  const fault = faultOf(pattern);
  if (fault !== undefined) throw new Error(fault);
  return HELD[pattern] ? [] : (SAMPLES[pattern] ?? [`/${pattern}`]);
}

/** Lists each page without an address and each entry of this file without a page, one line each. */
export function checkPages(): string[] {
  const known = new Set(PLACES.map(({ pattern }) => pattern));
  const gone = [...Object.keys(SAMPLES), ...Object.keys(HELD)].filter((pattern) => !known.has(pattern));
  return [
    ...[...known].flatMap((pattern) => faultOf(pattern) ?? []),
    ...gone.map(
      (pattern) => `No page of web/app/routes.ts has the path ${pattern}: remove it from e2e/support/pages.ts`,
    ),
  ];
}

/** The sample addresses of all pages that only this role, or with `visitor` everyone, can open. */
export function addressesOf(
  area: Area,
  ids: Readonly<Record<string, string>>,
  places: readonly Place[] = PLACES,
): string[] {
  return places
    .filter((place) => place.area === area)
    .flatMap(({ pattern }) => samplesOf(pattern).map((template) => fill(template, ids)));
}
