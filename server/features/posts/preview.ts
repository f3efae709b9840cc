/** The link picture of a post. A locked post shows only its blurred preview (row C6). */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { previewPath, stillPath } from '@stagedoor/contract/posts.ts';
import type { Server } from '../../kernel/bind.ts';
import type { Context } from '../../kernel/context.ts';
import { callerNetwork } from '../../kernel/http.ts';
import { limitRequests } from '../../kernel/limits.ts';
import { type LinkPicture, sendLinkPicture, sizeOfLinkPicture } from '../media/index.ts';
import { accessPost } from './access.ts';
import type { PostRow } from './hydrate.ts';

/** Per network, because a link preview service sends many requests from one. */
const READS_A_MINUTE = 600;

function pictureOf({ media: [first], entitlement }: PostRow, isMoving: boolean): LinkPicture | undefined {
  const clip = isMoving ? (first?.stream?.clip ?? undefined) : undefined;
  if (!first || (isMoving && clip === undefined)) return undefined;
  const { id, picture_serial: serial, jpeg_width: jpegWidth } = first;
  return { id, serial, jpegWidth: jpegWidth ?? 0, isOpen: entitlement !== null && jpegWidth !== null, clip };
}

export type Thumbnail = { path: string; width: number; height: number };

/** Throws NOT_FOUND. */
export async function thumbnailOf(ctx: Context, id: string): Promise<Thumbnail | undefined> {
  const post = await accessPost(ctx.db, undefined, id, 'view');
  const moving = post.type === 'video' ? pictureOf(post, true) : undefined;
  const picture = moving ?? pictureOf(post, false);
  const size = picture && (await sizeOfLinkPicture(ctx, picture));
  return size && { path: moving ? previewPath(post) : stillPath(post), ...size };
}

/** Shows only what a visitor without a session would see. */
export function registerPreview({ app, ctx }: Server): void {
  const limit = { name: 'post preview', max: Math.ceil(READS_A_MINUTE * ctx.config.rateFactor), windowMs: 60_000 };
  const onRequest = limitRequests(ctx.limits, limit, callerNetwork);
  for (const ending of ['jpg', 'gif'] as const) {
    app.route<{ Params: { id: string } }>({
      method: ['GET', 'HEAD'],
      url: `/post/:id([0-9a-f-]{36}).${ending}`,
      onRequest,
      handler: async (request, reply) => {
        const { id } = request.params;
        if (!isId(id)) throw new AppError('NOT_FOUND');
        const post = await accessPost(ctx.db, undefined, id, 'view');
        const picture = pictureOf(post, ending === 'gif');
        if (picture) return sendLinkPicture(ctx, picture, request, reply);
        if (ending === 'jpg' || post.media.length === 0 || post.type !== 'video') throw new AppError('NOT_FOUND');
        // The animated picture is still being made, or could not be made.
        return reply.header('cache-control', 'no-store').redirect(stillPath(post));
      },
    });
  }
}
