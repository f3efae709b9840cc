/** The link picture of a post. A locked post shows only its blurred preview (row C6). */

import { imagePreviewPath, previewPath } from '@stagedoor/contract/content/posts.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import { getCallerNetwork } from '../../../platform/http/http.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { limitRequests, type RateLimit } from '../../../platform/limits/rate-limit.ts';
import { findLinkPictureSize, type LinkPicture, sendLinkPicture } from '../media/index.ts';
import { accessPost } from './access.ts';
import type { PostRow } from './hydrate.ts';

/** Per network, because a link preview service sends many requests from one. */
const READ_LIMIT: RateLimit = { name: 'post preview', max: 600, windowMs: 60_000 };

function findLinkPicture({ media: [first], entitlement }: PostRow, isAnimated: boolean): LinkPicture | undefined {
  const clip = isAnimated ? (first?.stream?.clip ?? undefined) : undefined;
  if (!first || (isAnimated && clip === undefined)) return undefined;
  const { id, picture_serial: serial, jpeg_width: jpegWidth } = first;
  return { id, serial, jpegWidth: jpegWidth ?? 0, isOpen: entitlement !== null && jpegWidth !== null, clip };
}

export type Thumbnail = { path: string; width: number; height: number };

/** Throws NOT_FOUND. */
export async function findPostThumbnail(ctx: Context, id: string): Promise<Thumbnail | undefined> {
  const post = await accessPost(ctx.db, undefined, id, 'view');
  const animated = post.type === 'video' ? findLinkPicture(post, true) : undefined;
  const picture = animated ?? findLinkPicture(post, false);
  const size = picture && (await findLinkPictureSize(ctx, picture));
  return size && { path: animated ? previewPath(post) : imagePreviewPath(post), ...size };
}

/** Shows only what a visitor without a session would see. */
export function registerLinkPreviews({ app, ctx }: ModuleHost): void {
  const onRequest = limitRequests(ctx.limits, READ_LIMIT, getCallerNetwork);
  for (const extension of ['jpg', 'gif'] as const) {
    app.route<{ Params: { id: string } }>({
      method: ['GET', 'HEAD'],
      url: `/post/:id([0-9a-f-]{36}).${extension}`,
      onRequest,
      handler: async (request, reply) => {
        const { id } = request.params;
        if (!isId(id)) throw new AppError('NOT_FOUND');
        const post = await accessPost(ctx.db, undefined, id, 'view');
        const picture = findLinkPicture(post, extension === 'gif');
        if (picture) return sendLinkPicture(ctx, picture, request, reply);
        if (extension === 'jpg' || post.media.length === 0 || post.type !== 'video') throw new AppError('NOT_FOUND');
        // The animated picture is still being made, or could not be made.
        return reply.header('cache-control', 'no-store').redirect(imagePreviewPath(post));
      },
    });
  }
}
