/** Files out of the store: public ones to be kept for ever, private ones only to those allowed (row C9). */
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { PRIVATE_ASSET_PATH } from '@stagedoor/contract/posts.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../../../kernel/bind.ts';
import type { Context } from '../../../kernel/context.ts';
import { callerKey } from '../../../kernel/http.ts';
import {
  clipKey,
  contentTypeOf,
  parsePublic,
  parseVariant,
  pictureFile,
  previewKey,
  type VariantName,
  variantKey,
} from '../keys.ts';
import { findGrantedFile, type GrantedFile, Sights } from './access.ts';

/** Browsers keep it; what stands between asks again after five minutes, as a free post may be taken down. */
const PUBLIC_CACHE = 'public, max-age=31536000, s-maxage=300, immutable';
const PRIVATE_CACHE = 'private, max-age=300';
const SHARED_CACHE = 'public, max-age=300';
/** The one file that is written anew under its name: the playlist that gains rungs. */
const FRESH = 'h/master.m3u8';
const FRESH_CACHE = { public: 'public, max-age=5', private: 'private, no-cache' };
const PRIVATE_PER_MINUTE = 3_000;
/** Under which nothing is granted: what is found so is public. */
const PUBLIC = '';
const MAX_TYPE = 40;

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

/** RFC 8187: a name of any letters in a header of few. */
function encodeFileName(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Sends a stored file with its validators, ranges and type. Throws NOT_FOUND when it is not there. */
async function sendFile(
  ctx: Context,
  key: string,
  cache: string,
  request: FastifyRequest,
  reply: FastifyReply,
  granted?: GrantedFile,
): Promise<FastifyReply> {
  const file = await ctx.storage.open(key);
  if (!file) throw new AppError('NOT_FOUND');
  // A key's bytes never change, so key and size name them; of the one whose do, the bytes themselves.
  const content = key.endsWith(FRESH) ? await buffer(await file.stream()) : `${key} ${file.byteSize}`;
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  reply.header('cache-control', cache).header('etag', etag).header('accept-ranges', 'bytes');
  reply.header('content-disposition', 'inline').header('x-content-type-options', 'nosniff').type(contentTypeOf(key));
  if (granted) {
    // What a person sent us is never shown as a page of ours.
    reply.header('content-security-policy', "sandbox; default-src 'none'").type(granted.contentType);
    if (granted.downloadName !== undefined)
      reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeFileName(granted.downloadName)}`);
  }
  if (cache.startsWith('private')) reply.header('vary', 'cookie').header('cross-origin-resource-policy', 'same-origin');
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

function serveVariant(
  ctx: Context,
  variant: VariantName,
  isPublic: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const fresh = isPublic ? FRESH_CACHE.public : FRESH_CACHE.private;
  const kept = isPublic ? PUBLIC_CACHE : PRIVATE_CACHE;
  return sendFile(ctx, variant.key, variant.file === FRESH ? fresh : kept, request, reply);
}

const sightsOf = new WeakMap<Context, Sights>();

/** Forgets, on this process, what anybody was found to be allowed: some right ended that is to end at once. */
export function forgetSights(ctx: Context): void {
  sightsOf.get(ctx)?.forget();
}

/** Binds `/media/public/…` and `/api/asset/private`, by query (row C9) and by path, so that playlists may name what lies beside them. */
export function registerServing({ app, ctx }: Server): void {
  const sights = new Sights(ctx);
  sightsOf.set(ctx, sights);
  ctx.events.on('media.shown', 'media.forgetSights', () => sights.forget());
  ctx.events.on('media.settings', 'media.forgetSights', () => sights.forget());
  const method = ['GET', 'HEAD'];
  const config = {
    rateLimit: {
      max: Math.ceil(PRIVATE_PER_MINUTE * ctx.config.rateFactor),
      timeWindow: 60_000,
      groupId: 'asset',
      keyGenerator: callerKey,
    },
  };

  app.route<{ Params: { '*': string } }>({
    method,
    url: '/media/public/*',
    handler: async (request, reply) => {
      const name = request.params['*'];
      const variant = parseVariant(name);
      if (variant) {
        const sight = await sights.find(undefined, variant.id, PUBLIC);
        if (!sight) throw new AppError('NOT_FOUND');
        return serveVariant(ctx, variant, true, request, reply);
      }
      const key = parsePublic(name);
      if (!key) throw new AppError('NOT_FOUND');
      return sendFile(ctx, key, PUBLIC_CACHE, request, reply);
    },
  });

  const answer = async (tblType: unknown, name: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const variant = typeof name === 'string' ? parseVariant(name) : undefined;
    if (!variant && typeof name === 'string' && typeof tblType === 'string') {
      const granted = await findGrantedFile(ctx, request.actor, name, tblType);
      if (granted) return sendFile(ctx, granted.key, PRIVATE_CACHE, request, reply, granted);
    }
    if (!variant || typeof tblType !== 'string' || tblType.length > MAX_TYPE) throw new AppError('NOT_FOUND');
    const sight = await sights.find(request.actor, variant.id, tblType);
    if (!sight) throw new AppError('NOT_FOUND');
    return serveVariant(ctx, variant, false, request, reply);
  };
  app.route<{ Querystring: { fileKey?: unknown; tblType?: unknown } }>({
    method,
    url: `/api${PRIVATE_ASSET_PATH}`,
    config,
    handler: (request, reply) => answer(request.query.tblType, request.query.fileKey, request, reply),
  });
  app.route<{ Params: { tblType: string; '*': string } }>({
    method,
    url: `/api${PRIVATE_ASSET_PATH}/:tblType/*`,
    config,
    handler: (request, reply) => answer(request.params.tblType, request.params['*'], request, reply),
  });
}

/** A picture of a link elsewhere (row C6): of what everybody may open, its JPEG of that width; else what everybody may see of a locked one. */
export type LinkPicture = { id: string; serial: number; jpegWidth: number | null; isMoving: boolean };

/** Sends a link's picture. Throws NOT_FOUND when there is none. */
export function sendLinkPicture(
  ctx: Context,
  picture: LinkPicture,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { id, serial, isMoving, jpegWidth } = picture;
  const open = isMoving ? clipKey(id) : variantKey(id, pictureFile(serial, `${jpegWidth}.jpg`));
  const locked = previewKey(id, isMoving ? 'preview.gif' : pictureFile(serial, 'preview.jpg'));
  const key = jpegWidth === null ? locked : open;
  return sendFile(ctx, key, SHARED_CACHE, request, reply);
}
