/** Files out of the store: public ones to be kept for ever, private ones only to those allowed (row C9). */
import { createHash } from 'node:crypto';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { PRIVATE_ASSET_PATH } from '@stagedoor/contract/posts.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { callerKey } from '../../kernel/http.ts';
import { maySee } from './access.ts';
import { contentTypeOf, parsePublic, parseVariant, variantKey } from './keys.ts';
import { isMediaPublic } from './store.ts';

/** Browsers keep it; what stands between asks again after five minutes, as a free post may be taken down. */
const PUBLIC_CACHE = 'public, max-age=31536000, s-maxage=300, immutable';
const PRIVATE_CACHE = 'private, max-age=300';
const SHARED_CACHE = 'public, max-age=300';
const KEPT_MS = 5_000;
const MAX_KEPT = 20_000;
const PRIVATE_PER_MINUTE = 3_000;

type Range = { start: number; end: number };

/** RFC 9110, 14.1.2: one range of bytes. Nothing when there is none to honour, `false` when it lies outside. */
export function parseRange(header: string | undefined, byteSize: number): Range | undefined | false {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), byteSize);
    return length === 0 ? false : { start: byteSize - length, end: byteSize - 1 };
  }
  const start = Number(first);
  const end = last === '' ? byteSize - 1 : Math.min(Number(last), byteSize - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= byteSize ? false : { start, end };
}

/** Sends a stored file with its validators, ranges and type. Throws NOT_FOUND when it is not there. */
async function sendFile(
  ctx: Context,
  key: string,
  cache: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = await ctx.storage.open(key);
  if (!file) throw new AppError('NOT_FOUND');
  // A key's bytes never change, so key and size name them.
  const etag = `"${createHash('sha256').update(`${key} ${file.byteSize}`).digest('base64url').slice(0, 22)}"`;
  reply.header('cache-control', cache).header('etag', etag).header('accept-ranges', 'bytes');
  reply.header('content-disposition', 'inline').header('x-content-type-options', 'nosniff').type(contentTypeOf(key));
  if (cache === PRIVATE_CACHE) reply.header('vary', 'cookie').header('cross-origin-resource-policy', 'same-origin');
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))
    return reply.status(304).send();

  const condition = request.headers['if-range'];
  const isRangeValid = condition === undefined || condition === etag;
  const range = request.method === 'GET' && isRangeValid ? parseRange(request.headers.range, file.byteSize) : undefined;
  if (range === false) return reply.status(416).header('content-range', `bytes */${file.byteSize}`).send();
  const length = range ? range.end - range.start + 1 : file.byteSize;
  reply.header('content-length', length);
  if (range) reply.status(206).header('content-range', `bytes ${range.start}-${range.end}/${file.byteSize}`);
  if (request.method === 'HEAD') return reply.send();
  return reply.send(await file.stream(range));
}

/** Whether a medium is public, known for a few seconds: a page asks for dozens of its variants at once. */
function publicMedia(ctx: Context): (id: string) => Promise<boolean> {
  const known = new Map<string, { isPublic: boolean; until: number }>();
  ctx.events.on('media.shown', 'media.forgetPublic', ({ payload }) => {
    for (const id of payload.mediaIds) known.delete(id);
  });
  return async (id) => {
    const now = ctx.clock.now().getTime();
    const kept = known.get(id);
    if (kept && kept.until > now) return kept.isPublic;
    const isPublic = await isMediaPublic(ctx.db, id);
    if (known.size >= MAX_KEPT) known.clear();
    known.set(id, { isPublic, until: now + KEPT_MS });
    return isPublic;
  };
}

/** Binds `/media/public/…` and `/api/asset/private`. */
export function registerServing({ app, ctx }: Server): void {
  const isPublic = publicMedia(ctx);
  const method = ['GET', 'HEAD'];

  app.route<{ Params: { '*': string } }>({
    method,
    url: '/media/public/*',
    handler: async (request, reply) => {
      const name = request.params['*'];
      const variant = parseVariant(name);
      if (variant && !(await isPublic(variant.id))) throw new AppError('NOT_FOUND');
      const key = variant?.key ?? parsePublic(name);
      if (!key) throw new AppError('NOT_FOUND');
      return sendFile(ctx, key, PUBLIC_CACHE, request, reply);
    },
  });

  app.route<{ Querystring: { fileKey?: unknown; tblType?: unknown } }>({
    method,
    url: `/api${PRIVATE_ASSET_PATH}`,
    config: {
      rateLimit: {
        max: Math.ceil(PRIVATE_PER_MINUTE * ctx.config.rateFactor),
        timeWindow: 60_000,
        groupId: 'asset',
        keyGenerator: callerKey,
      },
    },
    handler: async (request, reply) => {
      const { fileKey, tblType } = request.query;
      const variant = typeof fileKey === 'string' ? parseVariant(fileKey) : undefined;
      const isAllowed =
        variant && typeof tblType === 'string' && (await maySee(ctx, request.actor, variant.id, tblType));
      if (!isAllowed) throw new AppError('NOT_FOUND');
      return sendFile(ctx, variant.key, PRIVATE_CACHE, request, reply);
    },
  });
}

/** Sends one variant of a public medium or a preview for a link's picture elsewhere (row C6). */
export function sendPreviewFile(
  ctx: Context,
  place: { id: string; file: string } | { publicName: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const key = 'publicName' in place ? parsePublic(place.publicName) : variantKey(place.id, place.file);
  if (!key) throw new AppError('NOT_FOUND');
  return sendFile(ctx, key, SHARED_CACHE, request, reply);
}
