/** Serves public files, and private ones to viewers with access (row C9). */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { privateAsset } from '@stagedoor/contract/media.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorFor } from '../../../kernel/acting.ts';
import type { Server } from '../../../kernel/bind.ts';
import type { Context } from '../../../kernel/context.ts';
import { callerKey, callerNetwork } from '../../../kernel/http.ts';
import { limitRequests } from '../../../kernel/limits.ts';
import { isHiddenHere, keyOfHere, requireSeenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { boughtBy } from '../../sales/index.ts';
import {
  clipKey,
  contentTypeOf,
  markedForm,
  parsePublic,
  parseVariant,
  pictureFile,
  previewKey,
  underSerial,
  variantKey,
} from '../keys.ts';
import { type Size, sizeOfStored } from '../sizes.ts';
import { findGrantedFile, isFleeting, type Sight, Sights } from './access.ts';
import { sendBytes, sendFile } from './send.ts';
import { Watermarks } from './watermark.ts';

/** Shared caches revalidate after five minutes, because a free post may be taken down. */
const PUBLIC_CACHE = 'public, max-age=31536000, s-maxage=300, immutable';
const PRIVATE_CACHE = 'private, max-age=300';
const SHARED_CACHE = 'public, max-age=300';
const FLEETING_CACHE = 'private, no-cache';
/** Limit per session. */
const PRIVATE_PER_MINUTE = 3_000;
/** Limit per network, where a hundred users may open pages of sixty pictures. */
const PUBLIC_PER_MINUTE = 12_000;
/** Nothing is granted under this `tblType`, so it finds only public media. */
const PUBLIC = '';
const MAX_TYPE = 40;
const PORTRAIT_OF = /^[ac]\/([0-9a-f-]{36})\//;
const SWEEP_MS = 60 * 60_000;

/** Only private copies of other viewers carry the watermark. */
function isMarked(sight: Sight, viewer: Actor | undefined): boolean {
  return sight.isWatermarked && !sight.isPublic && viewer !== undefined && viewer.userId !== sight.ownerId;
}

function sweepHourly(ctx: Context, app: Server['app'], marks: Watermarks): void {
  const sweep = () =>
    void marks.sweep().catch((error: unknown) => ctx.log.error({ err: error }, 'sweeping marked pictures failed'));
  const timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

const sightsOf = new WeakMap<Context, Sights>();

/** Used when a right must end immediately. It affects only this process. */
export function forgetSights(ctx: Context): void {
  sightsOf.get(ctx)?.forget();
}

/** Private files are served by query (row C9) and by path, so that playlists can use relative addresses. */
export function registerServing({ app, ctx, bind }: Server): void {
  const sights = new Sights(ctx);
  sightsOf.set(ctx, sights);
  const forget = () => sights.forget();
  ctx.events.everywhere('media.shown', 'media.forgetSights', forget, forget);
  ctx.events.everywhere('media.settings', 'media.forgetSights', forget, forget);
  const marks = new Watermarks(ctx);
  sweepHourly(ctx, app, marks);
  const method = ['GET', 'HEAD'];
  const perMinute = (name: string, most: number) => ({
    name,
    max: Math.ceil(most * ctx.config.rateFactor),
    windowMs: 60_000,
  });

  /** Where the owner may be hidden, only a right of the viewer's own counts: they bought it, or act for its owner. */
  const sightWhereHidden = async (request: FastifyRequest, mediaId: string | undefined) => {
    const actor = keyOfHere() === '' ? undefined : actorFor(privateAsset, request.actor);
    return actor && mediaId !== undefined ? sights.find(actor, mediaId, undefined) : undefined;
  };
  /** Where a creator is hidden, their buyers, their team and they themselves still see the avatar. */
  const seesFace = async (actor: Actor | undefined, of: string) => {
    if (!actor || actor.isBlocked) return false;
    if (actor.userId === of) return true;
    const bought = await boughtBy(ctx.db, { fanIds: [actor.userId], creatorId: of, firstOf: null, limit: 1 });
    return bought.count > 0;
  };
  app.route<{ Params: { '*': string } }>({
    method,
    url: '/media/public/*',
    onRequest: limitRequests(ctx.limits, perMinute('public media', PUBLIC_PER_MINUTE), callerNetwork),
    handler: async (request, reply) => {
      const name = request.params['*'];
      const variant = parseVariant(name);
      if (variant) {
        const isOpen = (await sights.find(undefined, variant.id, PUBLIC)) !== undefined;
        if (!isOpen && !(await sightWhereHidden(request, variant.id))?.isPublic) throw new AppError('NOT_FOUND');
        return sendFile(ctx, variant.key, isOpen ? PUBLIC_CACHE : PRIVATE_CACHE, request, reply);
      }
      const open = parsePublic(name);
      const portraitOf = PORTRAIT_OF.exec(name)?.[1];
      if (!open) throw new AppError('NOT_FOUND');
      if (portraitOf !== undefined && isHiddenHere(portraitOf)) {
        if (!(await seesFace(actorFor(privateAsset, request.actor), portraitOf))) requireSeenHere(portraitOf);
        return sendFile(ctx, open.key, PRIVATE_CACHE, request, reply);
      }
      const isOpen = open.mediaId === undefined || (await sights.isThere(open.mediaId));
      if (!isOpen && !(await sightWhereHidden(request, open.mediaId))) throw new AppError('NOT_FOUND');
      return sendFile(ctx, open.key, isOpen ? PUBLIC_CACHE : PRIVATE_CACHE, request, reply);
    },
  });

  const answer = async (tblType: string | undefined, name: string, request: FastifyRequest, reply: FastifyReply) => {
    const actor = actorFor(privateAsset, request.actor);
    const variant = parseVariant(name);
    const kept = isFleeting(ctx, tblType) ? FLEETING_CACHE : PRIVATE_CACHE;
    if (!variant) {
      const granted = await findGrantedFile(ctx, actor, name, tblType);
      if (granted) return sendFile(ctx, granted.key, kept, request, reply, granted);
    }
    if (!variant || (tblType?.length ?? 0) > MAX_TYPE) throw new AppError('NOT_FOUND');
    const sight = await sights.find(actor, variant.id, tblType);
    if (!sight) throw new AppError('NOT_FOUND');
    const form = isMarked(sight, actor) ? markedForm(variant) : undefined;
    if (form && actor) {
      const content = await marks.find(variant.key, actor, form);
      return sendBytes(ctx, request, reply, content, { cache: kept, contentType: contentTypeOf(`.${form}`) });
    }
    return sendFile(ctx, variant.key, kept, request, reply);
  };
  bind(privateAsset, ({ query, request, reply }) => answer(query.tblType, query.fileKey, request, reply));
  app.route<{ Params: { tblType: string; '*': string } }>({
    method,
    url: `/api${privateAsset.path}/:tblType/*`,
    onRequest: limitRequests(ctx.limits, perMinute('asset', PRIVATE_PER_MINUTE), callerKey),
    handler: (request, reply) => answer(request.params.tblType, request.params['*'], request, reply),
  });
}

/**
 * Picture for link previews: the JPEG of an open medium, or the public preview of a locked one. With `clip`, the serial
 * of its animated previews, the animated one (row C6).
 */
export type LinkPicture = { id: string; serial: number; jpegWidth: number; isOpen: boolean; clip: number | undefined };

export function linkPictureOf(media: {
  id: string;
  picture_serial: number;
  jpeg_width: number | null;
}): string | undefined {
  const { id, picture_serial: serial, jpeg_width: width } = media;
  return width === null ? undefined : variantKey(id, pictureFile(serial, `${width}.jpg`));
}

function linkKey({ id, serial, jpegWidth, isOpen, clip }: LinkPicture): string {
  const [open, locked] =
    clip === undefined
      ? [variantKey(id, pictureFile(serial, `${jpegWidth}.jpg`)), previewKey(id, pictureFile(serial, 'preview.jpg'))]
      : [clipKey(id, clip), previewKey(id, underSerial(clip, 'preview.gif'))];
  return isOpen ? open : locked;
}

/** Throws NOT_FOUND. */
export function sendLinkPicture(
  ctx: Context,
  picture: LinkPicture,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendFile(ctx, linkKey(picture), SHARED_CACHE, request, reply);
}

export function sizeOfLinkPicture(ctx: Context, picture: LinkPicture): Promise<Size | undefined> {
  return sizeOfStored(ctx, linkKey(picture));
}
