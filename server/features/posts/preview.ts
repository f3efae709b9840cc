/**
 * Row C6: the picture of a link to a post, at the post's path plus `.gif` for videos and `.jpg` otherwise. A locked post
 * gives its light only.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { Server } from '../../kernel/bind.ts';
import { sendLinkPicture } from '../media/index.ts';
import { accessPost } from './access.ts';

/** Binds `/post/{id}.jpg` and `/post/{id}.gif`, for everybody: they show what a visitor without a session would see. */
export function registerPreview({ app, ctx }: Server): void {
  for (const ending of ['jpg', 'gif'] as const) {
    app.route<{ Params: { id: string } }>({
      method: ['GET', 'HEAD'],
      url: `/post/:id([0-9a-f-]{36}).${ending}`,
      handler: async (request, reply) => {
        const { id } = request.params;
        if (!isId(id)) throw new AppError('NOT_FOUND');
        const post = await accessPost(ctx.db, undefined, id, 'view');
        const [first] = post.media;
        const isMoving = ending === 'gif';
        if (!first) throw new AppError('NOT_FOUND');
        const clip = isMoving ? (first.stream?.clip ?? undefined) : undefined;
        if (isMoving && clip === undefined) {
          if (post.type !== 'video') throw new AppError('NOT_FOUND');
          // Its moving picture is still being made, or could not be: it is asked for by this address all the same.
          return reply.header('cache-control', 'no-store').redirect(`/post/${id}.jpg`);
        }
        const { id: mediaId, picture_serial: serial, jpeg_width: jpegWidth } = first;
        const isOpen = post.entitlement !== null && jpegWidth !== null;
        const picture = { id: mediaId, serial, jpegWidth: jpegWidth ?? 0, isOpen, clip };
        return sendLinkPicture(ctx, picture, request, reply);
      },
    });
  }
}
