/** Structured data (schema.org) and feed links of public pages. Only visitors' pages contain them. */

import { embedPath } from '@stagedoor/contract/content/embeds.ts';
import { imagePreviewPath, type Post } from '@stagedoor/contract/content/posts.ts';
import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { toLinkHref } from '@stagedoor/contract/content/social-links.ts';
import type { SubscriptionTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { PATHS, postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { FEED_FORMATS, FEED_TYPES, feedPath } from '@stagedoor/contract/shared/public-addresses.ts';
import type { MetaDescriptor } from 'react-router';
import { getOrigin, type PageMetaArgs, SITE_NAME } from './meta.ts';
import * as texts from './texts.ts';

const SCHEMA = 'https://schema.org';

/** The site and its search (schema.org/WebSite). */
export function toHomeJsonLd({ matches }: PageMetaArgs): MetaDescriptor[] {
  const url = `${getOrigin(matches)}${PATHS.home}`;
  const data = {
    '@context': SCHEMA,
    '@type': 'WebSite',
    name: SITE_NAME,
    url,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${url}?search={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
  return [{ 'script:ld+json': data }];
}

export function toWorksJsonLd(
  { matches }: PageMetaArgs,
  name: string,
  path: string,
  works: readonly Post[],
): MetaDescriptor[] {
  const origin = getOrigin(matches);
  const data = {
    '@context': SCHEMA,
    '@type': 'CollectionPage',
    name,
    url: origin + path,
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: works.length,
      itemListElement: works.map((post, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        url: origin + postPath(post.id),
      })),
    },
  };
  return [{ 'script:ld+json': data }];
}

/** ISO 8601 durations of billing periods. */
const PERIOD_DURATIONS = { weekly: 'W', monthaly: 'M', yearly: 'Y' } as const;

/** A tier by its shortest period (schema.org/Offer). Free tiers have no price to compare. */
function toTierOffer(url: string, { name, options }: SubscriptionTier): object[] {
  const [option] = options;
  if (!option) return [];
  return [
    {
      '@type': 'Offer',
      name,
      category: 'subscription',
      url: `${url}#subscribe`,
      price: option.price.toFixed(2),
      priceCurrency: 'USD',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: option.price.toFixed(2),
        priceCurrency: 'USD',
        billingDuration: `P${option.count}${PERIOD_DURATIONS[option.recurrence]}`,
      },
    },
  ];
}

/** A creator's page (schema.org/ProfilePage), the open tiers and the feeds. */
export function toProfileJsonLd(
  { matches }: PageMetaArgs,
  profile: Profile,
  tiers: readonly SubscriptionTier[],
): MetaDescriptor[] {
  const origin = getOrigin(matches);
  const url = origin + profilePath(profile.username);
  const image = profile.avatarUrl ?? profile.cover?.url;
  const feeds = FEED_FORMATS.map((format) => ({
    tagName: 'link' as const,
    rel: 'alternate',
    type: FEED_TYPES[format],
    title: formatText(texts.postsOfCreator, { name: profile.name }),
    href: origin + feedPath(profile.username, format),
  }));
  const offers = tiers.flatMap((tier) => (tier.isOpen ? toTierOffer(url, tier) : []));
  const data = {
    '@context': SCHEMA,
    '@type': 'ProfilePage',
    url,
    mainEntity: {
      '@type': 'Person',
      '@id': url,
      identifier: profile.id,
      name: profile.name,
      alternateName: profile.username,
      ...(profile.bio && { description: profile.bio }),
      ...(profile.craft && { jobTitle: profile.craft }),
      ...(image && { image: new URL(image, origin || undefined).href }),
      ...(profile.links.length > 0 && { sameAs: profile.links.map(({ url }) => toLinkHref(url)) }),
      ...(offers.length > 0 && { makesOffer: offers }),
      interactionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: `${SCHEMA}/FollowAction`,
        userInteractionCount: profile.totalFollowersCount,
      },
      agentInteractionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: `${SCHEMA}/WriteAction`,
        userInteractionCount: profile.totalPostCount,
      },
    },
  };
  return [...feeds, { 'script:ld+json': data }];
}

/** The video of a free post (schema.org/VideoObject) if a plain file exists. Paid videos are left out. */
function toVideoJsonLd(origin: string, post: Post, picture: string): object | undefined {
  const [first] = post.media;
  if (post.price > 0 || !first || first.isLocked || first.kind !== 'video' || !first.stream?.file) return undefined;
  const name = post.title || `A film by ${post.author.name}`;
  return {
    '@type': 'VideoObject',
    name,
    description: post.caption || name,
    thumbnailUrl: picture,
    uploadDate: post.createdAt,
    duration: `PT${Math.max(1, Math.round(first.durationSeconds ?? 0))}S`,
    embedUrl: origin + embedPath('post', post.id),
    contentUrl: new URL(first.stream.file, origin || undefined).href,
    ...(first.stream.fileType && { encodingFormat: first.stream.fileType }),
  };
}

/** Elements for paid content have this class (Google Search Central, paywalled content). */
const PAYWALLED = '.paywalled';

/** A post (schema.org/SocialMediaPosting) with its preview picture, which is blurred for a locked post. */
export function toPostJsonLd({ matches }: PageMetaArgs, post: Post): MetaDescriptor[] {
  const origin = getOrigin(matches);
  const url = origin + postPath(post.id);
  const [first] = post.media;
  const picture = origin + imagePreviewPath(post);
  const video = toVideoJsonLd(origin, post, picture);
  const data = {
    '@context': SCHEMA,
    '@type': 'SocialMediaPosting',
    '@id': url,
    url,
    headline: post.title || formatText(texts.postByCreator, { name: post.author.name }),
    ...(post.caption && { articleBody: post.caption }),
    datePublished: post.createdAt,
    isAccessibleForFree: post.price === 0,
    author: {
      '@type': 'Person',
      name: post.author.name,
      alternateName: post.author.username,
      url: origin + profilePath(post.author.username),
    },
    image: {
      '@type': 'ImageObject',
      contentUrl: picture,
      url: picture,
      creditText: post.author.name,
      creator: { '@type': 'Person', name: post.author.name },
      copyrightNotice: post.author.name,
      ...(first && !first.isLocked && first.picture.alt && { caption: first.picture.alt }),
    },
    ...(video && { video }),
    ...(post.price > 0 && {
      hasPart: { '@type': 'WebPageElement', isAccessibleForFree: false, cssSelector: PAYWALLED },
      offers: { '@type': 'Offer', price: post.price.toFixed(2), priceCurrency: 'USD', url },
    }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: `${SCHEMA}/LikeAction`,
      userInteractionCount: post.likeCount,
    },
  };
  return [{ 'script:ld+json': data }];
}
