import type { MetaDescriptor } from 'react-router';
import * as texts from './texts.ts';

export interface PageMeta {
  title?: string | undefined;
  description?: string | undefined;
  /** The canonical path. The query is left out unless it is part of this value. */
  path?: string | undefined;
  /** Absolute or root-relative. At least 600 px wide for link previews. */
  image?: string | undefined;
  imageAlt?: string | undefined;
  /** The size of the image in pixels, if known. Social networks then show it immediately. */
  imageSize?: { width: number; height: number } | undefined;
  type?: 'website' | 'profile' | 'article' | 'video.other' | undefined;
  video?: { path: string; type: string; width: number; height: number } | undefined;
  /** Whether search engines may index the page. Later list pages and results of free-text searches are excluded. */
  isListed?: boolean | undefined;
  /** Whether other sites may embed the page, as advertised by oEmbed. */
  isEmbeddable?: boolean | undefined;
}

export interface PageMetaArgs {
  location: { pathname: string };
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
}

export const SITE_NAME = 'Stagedoor';
const DESCRIPTION = texts.siteDescription;

export function getOrigin(matches: PageMetaArgs['matches']): string {
  const root = matches.find((match) => match?.id === 'root')?.loaderData;
  return typeof root === 'object' && root !== null && 'origin' in root && typeof root.origin === 'string'
    ? root.origin
    : '';
}

/** Returns one line of at most `length` characters, cut at a word boundary. */
export function toExcerpt(text: string, length = 160): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2))}…`;
}

export function createPageMeta(
  { location, matches }: PageMetaArgs,
  {
    title,
    description = DESCRIPTION,
    path,
    image,
    imageAlt,
    imageSize,
    type = 'website',
    video,
    isListed = true,
    isEmbeddable = false,
  }: PageMeta,
): MetaDescriptor[] {
  const origin = getOrigin(matches);
  const address = `${origin}${path ?? location.pathname}`;
  const name = title ? `${title} · ${SITE_NAME}` : SITE_NAME;
  const summary = toExcerpt(description);
  const list: MetaDescriptor[] = [
    { title: name },
    { name: 'description', content: summary },
    { tagName: 'link', rel: 'canonical', href: address },
    { property: 'og:site_name', content: SITE_NAME },
    { property: 'og:type', content: type },
    { property: 'og:title', content: title ?? SITE_NAME },
    { property: 'og:description', content: summary },
    { property: 'og:url', content: address },
    { name: 'twitter:card', content: image ? 'summary_large_image' : 'summary' },
  ];
  if (!isListed) list.push({ name: 'robots', content: 'noindex, follow' });
  if (image) list.push({ property: 'og:image', content: new URL(image, origin || undefined).href });
  if (image && imageSize)
    for (const [side, pixels] of Object.entries(imageSize))
      list.push({ property: `og:image:${side}`, content: String(pixels) });
  if (image && imageAlt) list.push({ property: 'og:image:alt', content: imageAlt });
  if (video) {
    const values = {
      '': `${origin}${video.path}`,
      ':type': video.type,
      ':width': video.width,
      ':height': video.height,
    };
    for (const [name, content] of Object.entries(values))
      list.push({ property: `og:video${name}`, content: String(content) });
  }
  if (isEmbeddable)
    list.push({
      tagName: 'link',
      rel: 'alternate',
      type: 'application/json+oembed',
      title: title ?? SITE_NAME,
      href: `${origin}/api/oembed?url=${encodeURIComponent(address)}`,
    });
  return list;
}
