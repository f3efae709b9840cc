/** Row C6: the picture of a link to a post, at the post's path plus `.jpg`. A locked post gives its light only. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { Server } from '../../kernel/bind.ts';
import { sendPreviewFile } from '../media/index.ts';
import { accessPost, isOpenTo } from './access.ts';

/** Binds `/post/{id}.jpg`, for everybody: it shows what a visitor without a session would see. */
export function registerPreview({ app, ctx }: Server): void {
  app.route<{ Params: { id: string } }>({
    method: ['GET', 'HEAD'],
    url: '/post/:id([0-9a-f-]{36}).jpg',
    handler: async (request, reply) => {
      const { id } = request.params;
      if (!isId(id)) throw new AppError('NOT_FOUND');
      const post = await accessPost(ctx.db, undefined, id, 'view');
      const [first] = post.media;
      if (!first) throw new AppError('NOT_FOUND');
      const isOpen = isOpenTo(post, null) && first.jpeg_width !== null;
      const place = isOpen
        ? { id: first.id, file: `${first.jpeg_width}.jpg` }
        : { publicName: `p/${first.id}/preview.jpg` };
      return sendPreviewFile(ctx, place, request, reply);
    },
  });
}
