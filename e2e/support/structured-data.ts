/**
 * Validates structured data by schema.org and by what search engines require (Google Search Central: video, profile
 * page, paywalled content, sitelinks search box). Each object must have the required properties of its type and no
 * unknown ones.
 */
type ValueKind =
  | 'text'
  | 'url'
  | 'date'
  | 'duration'
  | 'number'
  | 'price'
  | 'currency'
  | 'boolean'
  | 'object'
  | 'class'
  | 'type';
type PropertyKinds = Readonly<Record<string, ValueKind>>;
type SchemaType = { readonly required: PropertyKinds; readonly known?: PropertyKinds };

const TYPES: Readonly<Record<string, SchemaType>> = {
  WebSite: { required: { name: 'text', url: 'url' }, known: { potentialAction: 'object' } },
  SearchAction: { required: { target: 'object', 'query-input': 'text' } },
  EntryPoint: { required: { urlTemplate: 'url' } },
  CollectionPage: { required: { mainEntity: 'object' }, known: { name: 'text', url: 'url' } },
  ItemList: { required: { itemListElement: 'object' }, known: { numberOfItems: 'number' } },
  ListItem: { required: { position: 'number', url: 'url' }, known: { name: 'text' } },
  ProfilePage: { required: { mainEntity: 'object' }, known: { url: 'url' } },
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
      interactionStatistic: 'object',
      agentInteractionStatistic: 'object',
    },
  },
  InteractionCounter: { required: { interactionType: 'type', userInteractionCount: 'number' } },
  SocialMediaPosting: {
    required: {
      headline: 'text',
      datePublished: 'date',
      author: 'object',
      image: 'object',
      isAccessibleForFree: 'boolean',
    },
    known: {
      '@id': 'url',
      url: 'url',
      articleBody: 'text',
      interactionStatistic: 'object',
      video: 'object',
      hasPart: 'object',
      offers: 'object',
    },
  },
  ImageObject: {
    required: { contentUrl: 'url' },
    known: { url: 'url', caption: 'text', creditText: 'text', creator: 'object', copyrightNotice: 'text' },
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
  WebPageElement: { required: { isAccessibleForFree: 'boolean', cssSelector: 'class' } },
};

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const createMatcher = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value);
const VALIDATORS: Readonly<Record<ValueKind, (value: unknown) => boolean>> = {
  text: isText,
  url: (value) => isText(value) && /^https?:\/\/[^/]/.test(value) && URL.canParse(value),
  date: createMatcher(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/),
  duration: createMatcher(/^PT(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?$/),
  number: (value) => Number.isInteger(value) && Number(value) >= 0,
  price: createMatcher(/^\d+\.\d\d$/),
  currency: createMatcher(/^[A-Z]{3}$/),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && '@type' in value,
  class: createMatcher(/^\.[a-z][\w-]*$/),
  type: createMatcher(/^https:\/\/schema\.org\/\w+Action$/),
};

export function listSchemaFaults(item: object, prefix = ''): string[] {
  const { '@type': name, '@context': context, ...fields } = item as Record<string, unknown>;
  const itemPath = `${prefix}${String(name)}`;
  const type = typeof name === 'string' ? TYPES[name] : undefined;
  if (!type) return [`${itemPath}: no known type`];
  const kinds: PropertyKinds = { ...type.known, ...type.required };
  const missing = Object.keys(type.required).filter((key) => !(key in fields));
  const wrong = Object.entries(fields).flatMap(([key, value]) => {
    const kind = kinds[key];
    if (kind === undefined) return [`${itemPath}.${key}: not of this type`];
    return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
      if (!VALIDATORS[kind](one)) return [`${itemPath}.${key}: ${JSON.stringify(one)} is no ${kind}`];
      return kind === 'object' && typeof one === 'object' && one !== null
        ? listSchemaFaults(one, `${itemPath}.${key} `)
        : [];
    });
  });
  const contextFaults = prefix === '' && context !== 'https://schema.org' ? [`${itemPath}: no context`] : [];
  return [...contextFaults, ...missing.map((key) => `${itemPath}: no ${key}`), ...wrong];
}

export function parseStructuredData(html: string): Record<string, unknown>[] {
  const texts = html.matchAll(/<script[^>]+type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs);
  return [...texts].map(([, text = '']) => JSON.parse(text));
}
