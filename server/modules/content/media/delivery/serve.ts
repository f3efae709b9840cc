/** Serves public files, and private ones to viewers with access (row C9). */

import { getPrivateAsset } from '@stagedoor/contract/content/media.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../../platform/context.ts';
import { getGeoCacheKey, isGeoBlocked, requireNotGeoBlocked } from '../../../../platform/geo.ts';
import { getCallerKey, getCallerNetwork } from '../../../../platform/http/http.ts';
import type { ModuleHost } from '../../../../platform/http/routing.ts';
import { limitRequests, type RateLimit } from '../../../../platform/limits/rate-limit.ts';
import { resolveRouteActor } from '../../../../platform/security/delegation.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { listSalesToFans } from '../../../commerce/sales/index.ts';
import {
  clipKey,
  findWatermarkFormat,
  getContentType,
  parsePublicKey,
  parseVariantKey,
  pictureFile,
  previewKey,
  toSerialPath,
  variantKey,
} from '../keys.ts';
import { findStoredSize, type PixelSize } from '../sizes.ts';
import { findGrantedFile, type MediaAccess, MediaAccessCache, mustRevalidate } from './access.ts';
import { sendBytes, sendFile } from './send.ts';
import { WatermarkCache } from './watermark.ts';

/** Shared caches revalidate after five minutes, because a free post may be taken down. */
const PUBLIC_CACHE = 'public, max-age=31536000, s-maxage=300, immutable';
const PRIVATE_CACHE = 'private, max-age=300';
const SHARED_CACHE = 'public, max-age=300';
const REVALIDATED_CACHE = 'private, no-cache';
/** Per user. */
const PRIVATE_LIMIT: RateLimit = { name: 'asset', max: 3_000, windowMs: 60_000 };
/** Per network, where a hundred users may open pages of sixty pictures. */
const PUBLIC_LIMIT: RateLimit = { name: 'public media', max: 12_000, windowMs: 60_000 };
/** Nothing is granted under this `tblType`, so it finds only public media. */
const PUBLIC_ASSET_TYPE = '';
const ASSET_TYPE_MAX_LENGTH = 40;
const PROFILE_PICTURE_OWNER = /^[ac]\/([0-9a-f-]{36})\//;
const SWEEP_MS = 60 * 60_000;

/** Only private copies of other viewers carry the watermark. */
function shouldWatermark(access: MediaAccess, viewer: Actor | undefined): boolean {
  return access.isWatermarked && !access.isPublic && viewer !== undefined && viewer.userId !== access.ownerId;
}

function scheduleSweep(ctx: Context, app: ModuleHost['app'], watermarks: WatermarkCache): void {
  const sweep = () =>
    void watermarks
      .sweep()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'sweeping watermarked pictures failed'));
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

const accessCacheByContext = new WeakMap<Context, MediaAccessCache>();

/** Used when a right must end immediately. It affects only this process. */
export function invalidateMediaAccess(ctx: Context): void {
  accessCacheByContext.get(ctx)?.invalidate();
}

/** Private files are served by query (row C9) and by path, so that playlists can use relative addresses. */
export function registerDelivery({ app, ctx, bind }: ModuleHost): void {
  const accessCache = new MediaAccessCache(ctx);
  accessCacheByContext.set(ctx, accessCache);
  const invalidate = () => accessCache.invalidate();
  ctx.events.addLocalHandler('media.visibilityChanged', 'media.invalidateAccess', invalidate, invalidate);
  ctx.events.addLocalHandler('media.settingsChanged', 'media.invalidateAccess', invalidate, invalidate);
  const watermarks = new WatermarkCache(ctx);
  scheduleSweep(ctx, app, watermarks);
  const method = ['GET', 'HEAD'];

  /** Where the owner may be hidden, only a right of the viewer's own counts: they bought it, or act for its owner. */
  const findGeoBlockedAccess = async (request: FastifyRequest, mediaId: string | undefined) => {
    const actor = getGeoCacheKey() === '' ? undefined : resolveRouteActor(getPrivateAsset, request.actor);
    return actor && mediaId !== undefined ? accessCache.find(actor, mediaId, undefined) : undefined;
  };
  /** Where a creator is hidden, their buyers, their team and they themselves still see the avatar. */
  const canSeeAvatar = async (actor: Actor | undefined, creatorId: string) => {
    if (!actor || actor.isBlocked) return false;
    if (actor.userId === creatorId) return true;
    const purchases = await listSalesToFans(ctx.db, {
      fanIds: [actor.userId],
      creatorId,
      preferredSubjectId: null,
      limit: 1,
    });
    return purchases.count > 0;
  };
  app.route<{ Params: { '*': string } }>({
    method,
    url: '/media/public/*',
    onRequest: limitRequests(ctx.limits, PUBLIC_LIMIT, getCallerNetwork),
    handler: async (request, reply) => {
      const name = request.params['*'];
      const variant = parseVariantKey(name);
      if (variant) {
        const isOpen = (await accessCache.find(undefined, variant.id, PUBLIC_ASSET_TYPE)) !== undefined;
        if (!isOpen && !(await findGeoBlockedAccess(request, variant.id))?.isPublic) throw new AppError('NOT_FOUND');
        return sendFile(ctx, variant.key, isOpen ? PUBLIC_CACHE : PRIVATE_CACHE, request, reply);
      }
      const publicFile = parsePublicKey(name);
      const profileOwnerId = PROFILE_PICTURE_OWNER.exec(name)?.[1];
      if (!publicFile) throw new AppError('NOT_FOUND');
      if (profileOwnerId !== undefined && isGeoBlocked(profileOwnerId)) {
        if (!(await canSeeAvatar(resolveRouteActor(getPrivateAsset, request.actor), profileOwnerId)))
          requireNotGeoBlocked(profileOwnerId);
        return sendFile(ctx, publicFile.key, PRIVATE_CACHE, request, reply);
      }
      const isOpen = publicFile.mediaId === undefined || (await accessCache.isAvailable(publicFile.mediaId));
      if (!isOpen && !(await findGeoBlockedAccess(request, publicFile.mediaId))) throw new AppError('NOT_FOUND');
      return sendFile(ctx, publicFile.key, isOpen ? PUBLIC_CACHE : PRIVATE_CACHE, request, reply);
    },
  });

  const servePrivateAsset = async (
    tblType: string | undefined,
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const actor = resolveRouteActor(getPrivateAsset, request.actor);
    const variant = parseVariantKey(name);
    const cacheControl = mustRevalidate(ctx, tblType) ? REVALIDATED_CACHE : PRIVATE_CACHE;
    if (!variant) {
      const granted = await findGrantedFile(ctx, actor, name, tblType);
      if (granted) return sendFile(ctx, granted.key, cacheControl, request, reply, granted);
    }
    if (!variant || (tblType?.length ?? 0) > ASSET_TYPE_MAX_LENGTH) throw new AppError('NOT_FOUND');
    const access = await accessCache.find(actor, variant.id, tblType);
    if (!access) throw new AppError('NOT_FOUND');
    const format = shouldWatermark(access, actor) ? findWatermarkFormat(variant) : undefined;
    if (format && actor) {
      const content = await watermarks.find(variant.key, actor, format);
      return sendBytes(ctx, request, reply, content, {
        cache: cacheControl,
        contentType: getContentType(`.${format}`),
      });
    }
    return sendFile(ctx, variant.key, cacheControl, request, reply);
  };
  bind(getPrivateAsset, ({ query, request, reply }) => servePrivateAsset(query.tblType, query.fileKey, request, reply));
  app.route<{ Params: { tblType: string; '*': string } }>({
    method,
    url: `/api${getPrivateAsset.path}/:tblType/*`,
    onRequest: limitRequests(ctx.limits, PRIVATE_LIMIT, getCallerKey),
    handler: (request, reply) => servePrivateAsset(request.params.tblType, request.params['*'], request, reply),
  });
}

/**
 * Picture for link previews: the JPEG of an open medium, or the public preview of a locked one. With `clip`, the serial
 * of its animated previews, the animated one (row C6).
 */
export type LinkPicture = { id: string; serial: number; jpegWidth: number; isOpen: boolean; clip: number | undefined };

export function findLinkPictureKey(media: {
  id: string;
  picture_serial: number;
  jpeg_width: number | null;
}): string | undefined {
  const { id, picture_serial: serial, jpeg_width: width } = media;
  return width === null ? undefined : variantKey(id, pictureFile(serial, `${width}.jpg`));
}

function getLinkPictureKey({ id, serial, jpegWidth, isOpen, clip }: LinkPicture): string {
  const [open, locked] =
    clip === undefined
      ? [variantKey(id, pictureFile(serial, `${jpegWidth}.jpg`)), previewKey(id, pictureFile(serial, 'preview.jpg'))]
      : [clipKey(id, clip), previewKey(id, toSerialPath(clip, 'preview.gif'))];
  return isOpen ? open : locked;
}

/** Throws NOT_FOUND. */
export function sendLinkPicture(
  ctx: Context,
  picture: LinkPicture,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendFile(ctx, getLinkPictureKey(picture), SHARED_CACHE, request, reply);
}

export function findLinkPictureSize(ctx: Context, picture: LinkPicture): Promise<PixelSize | undefined> {
  return findStoredSize(ctx, getLinkPictureKey(picture));
}
