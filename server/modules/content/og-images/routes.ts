import * as contract from '@stagedoor/contract/content/og-images.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import { getCallerKey } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { limitRequests, type RateLimit } from '../../../platform/limits/rate-limit.ts';
import { renderQrSvg } from '../../../platform/qr.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { isBlockedPair } from '../../identity/blocks/index.ts';
import { sendStoredFile } from '../media/index.ts';
import { viewProfile } from '../profiles/index.ts';
import { deleteOgImages, findOgImage } from './og-image-cache.ts';
import { loadOgImageDetails } from './og-image-details.ts';

const READ_LIMIT: RateLimit = { name: 'og-images', max: 120, windowMs: 60_000 };
/** Shared caches revalidate after five minutes, because content that was taken down must disappear. */
const CACHE = 'public, max-age=31536000, s-maxage=300, immutable';
const VERSION = /^[0-9a-f]{16}$/;
const NAME = /^[\w.-]{1,64}$/;

function registerOgImageHandlers(ctx: Context): void {
  const handlerOptions = {
    queue: 'quick',
    subject: ({ creatorId }: { creatorId: string }) => `shares:${creatorId}`,
  } as const;
  ctx.events.addJobHandler('profile.changed', 'ogImages.invalidate', handlerOptions, ({ payload, createdAt }) =>
    deleteOgImages(ctx, payload.creatorId, null, createdAt),
  );
  ctx.events.addJobHandler('theme.published', 'ogImages.invalidate', handlerOptions, ({ payload, createdAt }) =>
    deleteOgImages(ctx, payload.creatorId, null, createdAt),
  );
  ctx.events.addJobHandler('post.changed', 'ogImages.invalidate', handlerOptions, ({ payload, createdAt }) =>
    deleteOgImages(ctx, payload.creatorId, payload.postId, createdAt),
  );
  ctx.events.addJobHandler('post.removed', 'ogImages.invalidate', handlerOptions, ({ payload }) =>
    deleteOgImages(ctx, payload.creatorId, payload.postId, null),
  );
  ctx.events.addJobHandler(
    'account.blocked',
    'ogImages.invalidate',
    { queue: 'quick', subject: ({ userId }) => `shares:${userId}` },
    ({ payload }) => deleteOgImages(ctx, payload.userId, null, null),
  );
}

async function presentProfileCard(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof contract.getProfileCard>> {
  const { username, name, craft, city } = await viewProfile(ctx, actor, actor.userId);
  const url = `${ctx.config.publicUrl}${contract.shortProfilePath(username)}`;
  // The code stays readable on a card that was folded or stained.
  const code = await renderQrSvg(url, { margin: 0, errorCorrectionLevel: 'Q' });
  return { address: url.replace(/^https?:\/\//, ''), url, name, craft, city, qrSvg: code };
}

const findOrUndefined = <T>(promise: Promise<T>): Promise<T | undefined> =>
  promise.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });

export function register({ app, ctx, bind }: ModuleHost): void {
  registerOgImageHandlers(ctx);
  const presentOgImage = async (kind: contract.OgImageKind, id: string, actor: Actor | undefined) => {
    const { path, details } = await loadOgImageDetails(ctx, kind, id);
    if (actor && (await isBlockedPair(ctx.db, actor.userId, details.creatorId))) throw new AppError('NOT_FOUND');
    return { path, ...contract.OG_IMAGE_SIZE };
  };
  bind(contract.getProfileOgImage, ({ params, actor }) => presentOgImage('profile', params.id, actor));
  bind(contract.getPostOgImage, ({ params, actor }) => presentOgImage('post', params.id, actor));

  bind(contract.getProfileCard, ({ actor }) => presentProfileCard(ctx, actor));

  const onRequest = limitRequests(ctx.limits, READ_LIMIT, getCallerKey);
  for (const kind of contract.OG_IMAGE_KINDS)
    app.route<{ Params: { id: string; version: string } }>({
      method: ['GET', 'HEAD'],
      url: contract.ogImagePath(kind, ':id', ':version'),
      onRequest,
      handler: async (request, reply) => {
        const { id, version } = request.params;
        if (!isId(id) || !VERSION.test(version)) throw new AppError('NOT_FOUND');
        const image = await findOgImage(ctx, kind, id, version);
        if ('path' in image) return reply.header('cache-control', 'no-store').redirect(image.path, 302);
        return sendStoredFile(ctx, image.key, CACHE, request, reply);
      },
    });
  // Accepts addresses as typed from a card, in any case and with a slash at the end. For an unknown name, the profile
  // page shows the error.
  for (const url of ['/@:name', '/@:name/'])
    app.route<{ Params: { name: string } }>({
      method: ['GET', 'HEAD'],
      url,
      onRequest,
      handler: async (request, reply) => {
        const { name } = request.params;
        const profile = NAME.test(name) ? await findOrUndefined(viewProfile(ctx, undefined, name)) : undefined;
        if (!profile)
          return reply.header('cache-control', 'no-store').redirect(profilePath(encodeURIComponent(name)), 302);
        return reply.header('cache-control', 'public, max-age=300').redirect(profilePath(profile.username), 301);
      },
    });
}
