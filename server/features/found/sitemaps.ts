/**
 * Sitemaps (sitemaps.org 0.9): an index of files with at most 50,000 URLs. A file is named by its first id and read in
 * batches, so that memory use does not grow.
 */

import { Readable } from 'node:stream';
import { PATHS, postPath, profilePath } from '@stagedoor/contract/addresses.ts';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { CATEGORIES } from '@stagedoor/contract/atoms/limits.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { POLICY_KEYS } from '@stagedoor/contract/policies.ts';
import { stillPath } from '@stagedoor/contract/posts.ts';
import { creatorsPath, PUBLIC_PATHS, policyPath, worksPath } from '@stagedoor/contract/public-addresses.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../kernel/context.ts';
import {
  creatorStarts,
  creatorsFrom,
  type Piece,
  type PublicCreator,
  type PublicPost,
  postStarts,
  postsFrom,
} from './store.ts';
import { XML_HEAD, xml } from './xml.ts';

export const FILE_SIZE = 50_000;
const CHUNK = 500;
const KNOWN_MS = 60 * 60_000;

const SPACES =
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
  PUBLIC_PATHS.policies,
  CASE_PATHS.contactUs,
  CASE_PATHS.complaints,
  ...POLICY_KEYS.map((key) => policyPath(key)),
];

type Entry = { path: string; at?: Date | null; imagePath?: string };

function entryOf(origin: string, { path, at, imagePath }: Entry): string {
  const image = imagePath && `<image:image><image:loc>${xml(origin + imagePath)}</image:loc></image:image>`;
  return `<url><loc>${xml(origin + path)}</loc>${at ? `<lastmod>${at.toISOString()}</lastmod>` : ''}${image ?? ''}</url>\n`;
}

const ofCreator = ({ username, changed_at: at }: PublicCreator): Entry => ({ path: profilePath(username), at });
const ofPost = ({ id, changed_at: at }: PublicPost): Entry => ({
  path: postPath(id),
  at,
  imagePath: stillPath({ id }),
});

type Source<Row> = {
  read: (ctx: Context, piece: Piece) => Promise<Row[]>;
  entry: (row: Row) => Entry;
};

/** `until` is exclusive. */
type Stretch = { first: string; until: string | undefined };

async function* write<Row extends { id: string }>(
  ctx: Context,
  { read, entry }: Source<Row>,
  { first, until }: Stretch,
): AsyncGenerator<string> {
  yield `${XML_HEAD}<urlset ${SPACES}>\n`;
  let from = first;
  let isAfter = false;
  for (let left = FILE_SIZE; left > 0; ) {
    const rows = await read(ctx, { from, isAfter, limit: Math.min(CHUNK, left), until });
    yield rows.map((row) => entryOf(ctx.config.publicUrl, entry(row))).join('');
    const last = rows.at(-1);
    if (!last || rows.length < Math.min(CHUNK, left)) break;
    from = last.id;
    isAfter = true;
    left -= rows.length;
  }
  yield '</urlset>\n';
}

const KINDS = {
  creators: (ctx: Context, stretch: Stretch) =>
    write(ctx, { read: ({ db }, piece) => creatorsFrom(db, piece), entry: ofCreator }, stretch),
  posts: (ctx: Context, stretch: Stretch) =>
    write(ctx, { read: ({ db }, piece) => postsFrom(db, piece), entry: ofPost }, stretch),
} as const;
type Kind = keyof typeof KINDS;
const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

type Starts = Readonly<Record<Kind, readonly string[]>>;
const known = new WeakMap<Context, { at: number; starts: Promise<Starts> }>();

async function findStarts({ db }: Context): Promise<Starts> {
  const [creators, posts] = await Promise.all([creatorStarts(db, FILE_SIZE), postStarts(db, FILE_SIZE)]);
  return { creators, posts };
}

/** The result is cached for an hour and shared by concurrent requests. */
function startsOf(ctx: Context): Promise<Starts> {
  const now = ctx.clock.now().getTime();
  const before = known.get(ctx);
  if (before && now - before.at < KNOWN_MS) return before.starts;
  const starts = findStarts(ctx);
  known.set(ctx, { at: now, starts });
  starts.catch(() => known.delete(ctx));
  return starts;
}

async function indexOf(ctx: Context): Promise<string> {
  const starts = await startsOf(ctx);
  const files = ['pages', ...Object.entries(starts).flatMap(([kind, ids]) => ids.map((id) => `${kind}-${id}`))];
  const lines = files.map(
    (name) => `<sitemap><loc>${xml(`${ctx.config.publicUrl}/sitemaps/${name}.xml`)}</loc></sitemap>\n`,
  );
  return `${XML_HEAD}<sitemapindex ${SPACES}>\n${lines.join('')}</sitemapindex>\n`;
}

type Hook = (request: FastifyRequest) => Promise<void>;

export function serveSitemaps(app: FastifyInstance, ctx: Context, onRequest: Hook): void {
  const type = 'application/xml; charset=utf-8';
  app.get('/sitemap.xml', { onRequest }, async (_request, reply) =>
    reply
      .type(type)
      .header('cache-control', 'public, max-age=3600')
      .send(await indexOf(ctx)),
  );
  app.get('/sitemaps/pages.xml', { onRequest }, async (_request, reply) => {
    const urls = PAGES.map((path) => entryOf(ctx.config.publicUrl, { path })).join('');
    return reply
      .type(type)
      .header('cache-control', 'public, max-age=3600')
      .send(`${XML_HEAD}<urlset ${SPACES}>\n${urls}</urlset>\n`);
  });
  app.get<{ Params: { kind: string; id: string } }>(
    '/sitemaps/:kind([a-z]+)-:id([0-9a-f-]{36}).xml',
    // A HEAD request would generate the whole file only to discard it.
    { onRequest, exposeHeadRoute: false },
    async (request, reply) => {
      const { kind, id } = request.params;
      if (!isKind(kind) || !isId(id)) throw new AppError('NOT_FOUND');
      const until = (await startsOf(ctx))[kind].find((start) => start > id);
      return reply
        .type(type)
        .header('cache-control', 'public, max-age=3600')
        .send(Readable.from(KINDS[kind](ctx, { first: id, until })));
    },
  );
}
