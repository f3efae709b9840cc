/** Feeds in RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1. They show only what a visitor sees. */
import { createHash } from 'node:crypto';
import { imagePreviewPath } from '@stagedoor/contract/content/posts.ts';
import { postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { FEED_FORMATS, type FeedFormat, feedPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { splitLinks } from '@stagedoor/contract/shared/text-links.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import { requireNotGeoBlocked } from '../../../platform/geo.ts';
import { isFree } from '../entitlements/index.ts';
import { toPostTitle } from '../posts/index.ts';
import { type FeedCreator, type FeedPost, findFeedCreator, listNewestPosts } from './store.ts';
import * as texts from './texts.ts';
import { escapeXml, XML_HEAD } from './xml.ts';

const MAX_ITEMS = 30;

type Item = {
  url: string;
  title: string;
  html: string;
  text: string;
  image: string;
  publishedAt: Date;
  changedAt: Date;
};
type Feed = {
  origin: string;
  url: string;
  selfUrl: string;
  title: string;
  description: string;
  author: string;
  changedAt: Date;
  items: readonly Item[];
};

const toHtml = (text: string) =>
  splitLinks(text)
    .map(({ text: part, href }) => {
      const html = escapeXml(part).replaceAll('\n', '<br/>');
      return href === undefined ? html : `<a href="${escapeXml(href)}" rel="nofollow ugc">${html}</a>`;
    })
    .join('');

function toFeedItem(origin: string, { name }: FeedCreator, post: FeedPost): Item {
  const url = origin + postPath(post.id);
  const image = origin + imagePreviewPath(post);
  const price = isFree(post.price_cents) ? 'Free' : formatCents(post.price_cents);
  const text = [post.caption.trim(), price].filter(Boolean).join('\n\n');
  const paragraphs = text
    .split(/\n{2,}/)
    .map((part) => `<p>${toHtml(part)}</p>`)
    .join('');
  return {
    url,
    title: toPostTitle(post.caption) || formatText(texts.postBy, { name }),
    html: `<p><a href="${escapeXml(url)}"><img src="${escapeXml(image)}" alt=""/></a></p>${paragraphs}`,
    text,
    image,
    publishedAt: post.created_at,
    changedAt: post.edited_at ?? post.created_at,
  };
}

function toRss({ url, selfUrl, title, description, changedAt, items }: Feed): string {
  const list = items.map(
    (item) =>
      `<item><title>${escapeXml(item.title)}</title><link>${escapeXml(item.url)}</link><guid isPermaLink="true">${escapeXml(item.url)}</guid><pubDate>${item.publishedAt.toUTCString()}</pubDate><description>${escapeXml(item.html)}</description></item>\n`,
  );
  return `${XML_HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escapeXml(title)}</title><link>${escapeXml(url)}</link><description>${escapeXml(description)}</description><language>en</language><lastBuildDate>${changedAt.toUTCString()}</lastBuildDate><atom:link href="${escapeXml(selfUrl)}" rel="self" type="application/rss+xml"/>\n${list.join('')}</channel></rss>\n`;
}

function toAtom({ url, selfUrl, title, description, author, changedAt, items }: Feed): string {
  const list = items.map(
    (item) =>
      `<entry><id>${escapeXml(item.url)}</id><title>${escapeXml(item.title)}</title><link href="${escapeXml(item.url)}"/><published>${item.publishedAt.toISOString()}</published><updated>${item.changedAt.toISOString()}</updated><content type="html">${escapeXml(item.html)}</content></entry>\n`,
  );
  return `${XML_HEAD}<feed xmlns="http://www.w3.org/2005/Atom"><id>${escapeXml(url)}</id><title>${escapeXml(title)}</title><subtitle>${escapeXml(description)}</subtitle><link href="${escapeXml(url)}"/><link rel="self" href="${escapeXml(selfUrl)}"/><updated>${changedAt.toISOString()}</updated><author><name>${escapeXml(author)}</name><uri>${escapeXml(url)}</uri></author>\n${list.join('')}</feed>\n`;
}

function toJson({ url, selfUrl, title, description, author, items }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: url,
    feed_url: selfUrl,
    description,
    language: 'en',
    authors: [{ name: author, url }],
    items: items.map((item) => ({
      id: item.url,
      url: item.url,
      title: item.title,
      content_html: item.html,
      content_text: item.text,
      image: item.image,
      date_published: item.publishedAt.toISOString(),
      date_modified: item.changedAt.toISOString(),
    })),
  });
}

const FEED_WRITERS: Readonly<Record<FeedFormat, { type: string; write: (feed: Feed) => string }>> = {
  rss: { type: 'application/rss+xml; charset=utf-8', write: toRss },
  atom: { type: 'application/atom+xml; charset=utf-8', write: toAtom },
  json: { type: 'application/feed+json; charset=utf-8', write: toJson },
};

async function loadFeed(ctx: Context, username: string, format: FeedFormat): Promise<Feed> {
  const creator = await findFeedCreator(ctx.db, username);
  if (!creator) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(creator.id);
  const origin = ctx.config.publicUrl;
  const items = (await listNewestPosts(ctx.db, creator.id, MAX_ITEMS)).map((post) => toFeedItem(origin, creator, post));
  const latest = Math.max(creator.created_at.getTime(), ...items.map(({ changedAt }) => changedAt.getTime()));
  return {
    origin,
    url: origin + profilePath(creator.username),
    selfUrl: origin + feedPath(creator.username, format),
    title: formatText(texts.creatorOnStagedoor, { name: creator.name }),
    description: creator.bio.trim() || creator.craft || formatText(texts.feedDescription, { name: creator.name }),
    author: creator.name,
    changedAt: new Date(latest),
    items,
  };
}

const NAME = /^[\w.-]{1,64}$/;

type RequestHook = (request: FastifyRequest) => Promise<void>;

export function registerFeeds(app: FastifyInstance, ctx: Context, onRequest: RequestHook): void {
  for (const format of FEED_FORMATS) {
    const { type, write } = FEED_WRITERS[format];
    app.get<{ Params: { name: string } }>(feedPath(':name', format), { onRequest }, async (request, reply) => {
      if (!NAME.test(request.params.name)) throw new AppError('NOT_FOUND');
      const feed = await loadFeed(ctx, request.params.name, format);
      const text = write(feed);
      const etag = `"${createHash('sha1').update(text).digest('base64url').slice(0, 20)}"`;
      reply
        .header('etag', etag)
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*');
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply.type(type).send(text);
    });
  }
}
