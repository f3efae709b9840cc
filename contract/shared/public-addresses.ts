/** Marketing and legal pages, separate so that other pages do not load them (rows B8, B9). */

import { PATHS } from './addresses.ts';

export const PUBLIC_PATHS = {
  works: '/works',
  becomeCreator: '/become-creator',
  howItWorks: '/how-works',
  plans: '/plans',
  pricing: '/pricing',
  discovery: '/discovery',
  themes: '/themes',
  themeEdit: '/theme-edit',
  policies: '/policies',
  termsOfService: '/terms-of-service',
  privacyPolicy: '/privacy-policy',
  communityRules: '/community-rules',
  creatorAgreement: '/creator-agreement',
  records: '/2257',
  dmca: '/dmca',
  consent: '/consent',
} as const;

export type CreatorSearchParams = {
  category?: string | undefined;
  sort?: string | undefined;
  price?: string | undefined;
  trial?: boolean | undefined;
  search?: string | undefined;
  offset?: string | undefined;
};

/** Canonical: parameters in a fixed order, without defaults. */
export function creatorsPath({ category, sort, price, trial, search, offset }: CreatorSearchParams): string {
  return toPathWithQuery('/', {
    category,
    sort: sort === 'recommended' ? undefined : sort,
    price,
    trial: trial ? 'true' : undefined,
    // The search ignores case and spaces.
    search: search?.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase(),
    offset: offset === '0' ? undefined : offset,
  });
}

export function worksPath({ category, offset }: Pick<CreatorSearchParams, 'category' | 'offset'>): string {
  return toPathWithQuery(PUBLIC_PATHS.works, { category, offset: offset === '0' ? undefined : offset });
}

function toPathWithQuery(path: string, parts: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parts).flatMap(([name, value]) => (value ? [`${name}=${encodeQueryValue(value)}`] : []));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

const encodeQueryValue = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');

export function sharedThemePath(code: string): string {
  return `${PUBLIC_PATHS.themes}/${code}`;
}

export function themeEditPath(code: string): string {
  return `${PUBLIC_PATHS.themeEdit}?from=${code}`;
}

/** Sign-up whose new account gets the theme that the visitor tried. */
export function signupWithThemePath(code: string): string {
  return `${PATHS.signupAsCreator}&theme=${code}`;
}

export function policyPath(key: string, version?: string): string {
  return version === undefined ? `/${key}` : `/${key}?version=${version}`;
}

/** Continues to `next`, a path on this site. */
export function consentPath(next: string): string {
  return `${PUBLIC_PATHS.consent}?next=${encodeURIComponent(next)}`;
}

export const FEED_FORMATS = ['rss', 'atom', 'json'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];
const FEED_FILES: Readonly<Record<FeedFormat, string>> = { rss: 'rss.xml', atom: 'atom.xml', json: 'feed.json' };
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

export function feedPath(username: string, format: FeedFormat): string {
  return `/profile/${username}/${FEED_FILES[format]}`;
}
