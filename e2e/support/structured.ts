/**
 * Validates structured data by schema.org and by what search engines require (Google Search Central: video, profile
 * page, paywalled content, sitelinks search box). Each object must have the required properties of its type and no
 * unknown ones.
 */
type Kind =
  | 'text'
  | 'url'
  | 'date'
  | 'duration'
  | 'number'
  | 'price'
  | 'currency'
  | 'truth'
  | 'thing'
  | 'class'
  | 'type';
type Kinds = Readonly<Record<string, Kind>>;
type Type = { readonly required: Kinds; readonly known?: Kinds };

const TYPES: Readonly<Record<string, Type>> = {
  WebSite: { required: { name: 'text', url: 'url' }, known: { potentialAction: 'thing' } },
  SearchAction: { required: { target: 'thing', 'query-input': 'text' } },
  EntryPoint: { required: { urlTemplate: 'url' } },
  CollectionPage: { required: { mainEntity: 'thing' }, known: { name: 'text', url: 'url' } },
  ItemList: { required: { itemListElement: 'thing' }, known: { numberOfItems: 'number' } },
  ListItem: { required: { position: 'number', url: 'url' }, known: { name: 'text' } },
  ProfilePage: { required: { mainEntity: 'thing' }, known: { url: 'url' } },
  Person: {
    required: { name: 'text' },
    known: {
      '@id': 'url',
      identifier: 'text',
      alternateName: 'text',
      description: 'text',
      jobTitle: 'text',
      image: 'url',
      url: 'url',
      sameAs: 'url',
      interactionStatistic: 'thing',
      agentInteractionStatistic: 'thing',
    },
  },
  InteractionCounter: { required: { interactionType: 'type', userInteractionCount: 'number' } },
  SocialMediaPosting: {
    required: {
      headline: 'text',
      datePublished: 'date',
      author: 'thing',
      image: 'thing',
      isAccessibleForFree: 'truth',
    },
    known: {
      '@id': 'url',
      url: 'url',
      articleBody: 'text',
      interactionStatistic: 'thing',
      video: 'thing',
      hasPart: 'thing',
      offers: 'thing',
    },
  },
  ImageObject: {
    required: { contentUrl: 'url' },
    known: { url: 'url', caption: 'text', creditText: 'text', creator: 'thing', copyrightNotice: 'text' },
  },
  VideoObject: {
    // The first three are required, the others recommended. Our pages have all of them.
    required: {
      name: 'text',
      thumbnailUrl: 'url',
      uploadDate: 'date',
      description: 'text',
      duration: 'duration',
      embedUrl: 'url',
      contentUrl: 'url',
    },
    known: { encodingFormat: 'text' },
  },
  Offer: { required: { price: 'price', priceCurrency: 'currency' }, known: { url: 'url' } },
  WebPageElement: { required: { isAccessibleForFree: 'truth', cssSelector: 'class' } },
};

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value);
const FITS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  url: (value) => isText(value) && /^https?:\/\/[^/]/.test(value) && URL.canParse(value),
  date: matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/),
  duration: matches(/^PT(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?$/),
  number: (value) => Number.isInteger(value) && Number(value) >= 0,
  price: matches(/^\d+\.\d\d$/),
  currency: matches(/^[A-Z]{3}$/),
  truth: (value) => typeof value === 'boolean',
  thing: (value) => typeof value === 'object' && value !== null && '@type' in value,
  class: matches(/^\.[a-z][\w-]*$/),
  type: matches(/^https:\/\/schema\.org\/\w+Action$/),
};

export function faultsOf(thing: object, at = ''): string[] {
  const { '@type': name, '@context': context, ...said } = thing as Record<string, unknown>;
  const here = `${at}${String(name)}`;
  const type = typeof name === 'string' ? TYPES[name] : undefined;
  if (!type) return [`${here}: no known type`];
  const kinds: Kinds = { ...type.known, ...type.required };
  const missing = Object.keys(type.required).filter((key) => !(key in said));
  const wrong = Object.entries(said).flatMap(([key, value]) => {
    const kind = kinds[key];
    if (kind === undefined) return [`${here}.${key}: not of this type`];
    return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
      if (!FITS[kind](one)) return [`${here}.${key}: ${JSON.stringify(one)} is no ${kind}`];
      return kind === 'thing' && typeof one === 'object' && one !== null ? faultsOf(one, `${here}.${key} `) : [];
    });
  });
  const unplaced = at === '' && context !== 'https://schema.org' ? [`${here}: no context`] : [];
  return [...unplaced, ...missing.map((key) => `${here}: no ${key}`), ...wrong];
}

export function toldToMachines(html: string): Record<string, unknown>[] {
  const texts = html.matchAll(/<script[^>]+type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs);
  return [...texts].map(([, text = '']) => JSON.parse(text));
}
