/** Where the public pages about the house itself are (rows B8, B9). Apart from the other addresses, which every page carries. */

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
  agree: '/agree',
} as const;

/** What of a list of creators, or of works, is looked at: all of it is in its address. */
export type Looked = {
  category?: string | undefined;
  sort?: string | undefined;
  search?: string | undefined;
  offset?: string | undefined;
};

/** The one address of a list of creators, however it was asked for: its parts in one order, and what says nothing left out. */
export function creatorsPath({ category, sort, search, offset }: Looked): string {
  return pathWith('/', {
    category,
    sort: sort === 'recommended' ? undefined : sort,
    // Case and spaces find the same people.
    search: search?.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase(),
    offset: offset === '0' ? undefined : offset,
  });
}

/** The one address of a list of works. */
export function worksPath({ category, offset }: Pick<Looked, 'category' | 'offset'>): string {
  return pathWith(PUBLIC_PATHS.works, { category, offset: offset === '0' ? undefined : offset });
}

function pathWith(path: string, parts: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parts).flatMap(([name, value]) => (value ? [`${name}=${encoded(value)}`] : []));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** As forms and links write it. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+');

/** A theme that somebody shares, by its word. */
export function sharedThemePath(code: string): string {
  return `${PUBLIC_PATHS.themes}/${code}`;
}

/** The editor, beginning with a theme that was shared. */
export function themeEditPath(code: string): string {
  return `${PUBLIC_PATHS.themeEdit}?from=${code}`;
}

/** One version of a text, or the one in force. */
export function policyPath(key: string, version?: string): string {
  return version === undefined ? `/${key}` : `/${key}?version=${version}`;
}

/** The page on which whoever is logged in agrees to what is new, and goes on to `next` afterwards, a path of ours. */
export function agreePath(next: string): string {
  return `${PUBLIC_PATHS.agree}?next=${encodeURIComponent(next)}`;
}

/** A creator's posts for readers of feeds. */
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
