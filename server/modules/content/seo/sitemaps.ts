/**
 * Sitemaps (sitemaps.org 0.9): an index of files with at most 50,000 URLs. A file is named by its first id and read in
 * batches, so that memory use does not grow.
 */

import { Readable } from 'node:stream';
import { imagePreviewPath } from '@stagedoor/contract/content/posts.ts';
import { PATHS, postPath, profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { CATEGORIES } from '@stagedoor/contract/shared/limits.ts';
import { creatorsPath, PUBLIC_PATHS, policyPath, worksPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { POLICY_KEYS } from '@stagedoor/contract/trust/legal.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../../platform/context.ts';
import {
  listCreatorBatch,
  listCreatorFileStarts,
  listPostBatch,
  listPostFileStarts,
  type PublicCreator,
  type PublicPost,
  type SitemapBatch,
} from './store.ts';
import { escapeXml, XML_HEAD } from './xml.ts';

export const URLS_PER_FILE = 50_000;
const BATCH_SIZE = 500;
const CACHE_TTL_MS = 60 * 60_000;

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"';
const PAGES: readonly string[] = [
  PATHS.home,
  ...CATEGORIES.map((category) => creatorsPath({ category })),
  worksPath({}),
  ...CATEGORIES.map((category) => worksPath({ category })),
  PUBLIC_PATHS.becomeCreator,
  PUBLIC_PATHS.howItWorks,
  PUBLIC_PATHS.plans,
  PUBLIC_PATHS.pricing,
  PUBLIC_PATHS.discovery,
  PUBLIC_PATHS.themes,
  PUBLIC_PATHS.themeEdit,
  PUBLIC_PATHS.policies,
  CASE_PATHS.contactUs,
  CASE_PATHS.complaints,
  ...POLICY_KEYS.map((key) => policyPath(key)),
];

type SitemapEntry = { path: string; at?: Date | null; imagePath?: string };

function formatUrlEntry(origin: string, { path, at, imagePath }: SitemapEntry): string {
  const image = imagePath && `<image:image><image:loc>${escapeXml(origin + imagePath)}</image:loc></image:image>`;
  return `<url><loc>${escapeXml(origin + path)}</loc>${at ? `<lastmod>${at.toISOString()}</lastmod>` : ''}${image ?? ''}</url>\n`;
}

const toCreatorEntry = ({ username, changed_at: at }: PublicCreator): SitemapEntry => ({
  path: profilePath(username),
  at,
});
const toPostEntry = ({ id, changed_at: at }: PublicPost): SitemapEntry => ({
  path: postPath(id),
  at,
  imagePath: imagePreviewPath({ id }),
});

type SitemapSource<Row> = {
  read: (ctx: Context, batch: SitemapBatch) => Promise<Row[]>;
  entry: (row: Row) => SitemapEntry;
};

/** `until` is exclusive. */
type IdRange = { first: string; until: string | undefined };

async function* streamSitemap<Row extends { id: string }>(
  ctx: Context,
  { read, entry }: SitemapSource<Row>,
  { first, until }: IdRange,
): AsyncGenerator<string> {
  yield `${XML_HEAD}<urlset ${NAMESPACES}>\n`;
  let from = first;
  let isAfter = false;
  for (let remaining = URLS_PER_FILE; remaining > 0; ) {
    const rows = await read(ctx, { from, isAfter, limit: Math.min(BATCH_SIZE, remaining), until });
    yield rows.map((row) => formatUrlEntry(ctx.config.publicUrl, entry(row))).join('');
    const last = rows.at(-1);
    if (!last || rows.length < Math.min(BATCH_SIZE, remaining)) break;
    from = last.id;
    isAfter = true;
    remaining -= rows.length;
  }
  yield '</urlset>\n';
}

const KINDS = {
  creators: (ctx: Context, range: IdRange) =>
    streamSitemap(ctx, { read: ({ db }, batch) => listCreatorBatch(db, batch), entry: toCreatorEntry }, range),
  posts: (ctx: Context, range: IdRange) =>
    streamSitemap(ctx, { read: ({ db }, batch) => listPostBatch(db, batch), entry: toPostEntry }, range),
} as const;
type Kind = keyof typeof KINDS;
const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

type FileStarts = Readonly<Record<Kind, readonly string[]>>;
const startsCache = new WeakMap<Context, { at: number; starts: Promise<FileStarts> }>();

async function findStarts({ db }: Context): Promise<FileStarts> {
  const [creators, posts] = await Promise.all([
    listCreatorFileStarts(db, URLS_PER_FILE),
    listPostFileStarts(db, URLS_PER_FILE),
  ]);
  return { creators, posts };
}

/** The result is cached for an hour and shared by concurrent requests. */
function getFileStarts(ctx: Context): Promise<FileStarts> {
  const now = ctx.clock.now().getTime();
  const cached = startsCache.get(ctx);
  if (cached && now - cached.at < CACHE_TTL_MS) return cached.starts;
  const starts = findStarts(ctx);
  startsCache.set(ctx, { at: now, starts });
  starts.catch(() => startsCache.delete(ctx));
  return starts;
}

async function formatIndex(ctx: Context): Promise<string> {
  const starts = await getFileStarts(ctx);
  const files = ['pages', ...Object.entries(starts).flatMap(([kind, ids]) => ids.map((id) => `${kind}-${id}`))];
  const lines = files.map(
    (name) => `<sitemap><loc>${escapeXml(`${ctx.config.publicUrl}/sitemaps/${name}.xml`)}</loc></sitemap>\n`,
  );
  return `${XML_HEAD}<sitemapindex ${NAMESPACES}>\n${lines.join('')}</sitemapindex>\n`;
}

type RequestHook = (request: FastifyRequest) => Promise<void>;

export function registerSitemaps(app: FastifyInstance, ctx: Context, onRequest: RequestHook): void {
  const type = 'application/xml; charset=utf-8';
  app.get('/sitemap.xml', { onRequest }, async (_request, reply) =>
    reply
      .type(type)
      .header('cache-control', 'public, max-age=3600')
      .send(await formatIndex(ctx)),
  );
  app.get('/sitemaps/pages.xml', { onRequest }, async (_request, reply) => {
    const urls = PAGES.map((path) => formatUrlEntry(ctx.config.publicUrl, { path })).join('');
    return reply
      .type(type)
      .header('cache-control', 'public, max-age=3600')
      .send(`${XML_HEAD}<urlset ${NAMESPACES}>\n${urls}</urlset>\n`);
  });
  app.get<{ Params: { kind: string; id: string } }>(
    '/sitemaps/:kind([a-z]+)-:id([0-9a-f-]{36}).xml',
    // A HEAD request would generate the whole file only to discard it.
    { onRequest, exposeHeadRoute: false },
    async (request, reply) => {
      const { kind, id } = request.params;
      if (!isKind(kind) || !isId(id)) throw new AppError('NOT_FOUND');
      const until = (await getFileStarts(ctx))[kind].find((start) => start > id);
      return reply
        .type(type)
        .header('cache-control', 'public, max-age=3600')
        .send(Readable.from(KINDS[kind](ctx, { first: id, until })));
    },
  );
}
