import * as contract from '@stagedoor/contract/posts.ts';
import { listHanging, listWorks } from '@stagedoor/contract/works.ts';
import type { Server } from '../../kernel/bind.ts';
import { grantMedia } from '../media/index.ts';
import { registerPostParts } from './archive.ts';
import { registerPostClosing } from './closing.ts';
import { listContinued } from './continue.ts';
import { registerMediaUses } from './media-uses.ts';
import { isMediumOpen } from './medium-open.ts';
import { leavePost } from './people.ts';
import { listMediaOf } from './posted-media.ts';
import { registerPreview } from './preview.ts';
import { buyPost, hidePurchased, listPurchased, restorePurchased } from './purchases.ts';
import { registerReactions } from './reactions.ts';
import * as service from './service.ts';
import { listAll, listHung } from './works.ts';

export function register(server: Server): void {
  const { ctx, bind } = server;
  registerPostClosing(ctx);
  registerPostParts(ctx);
  grantMedia(ctx, 'post', (viewer, mediaId) => isMediumOpen(ctx.db, viewer.userId, mediaId));
  registerMediaUses(ctx);
  registerReactions(ctx);
  registerPreview(server);

  bind(contract.createPost, ({ actor, body, operationId }) => service.publishPost(ctx, actor, body, operationId));
  bind(contract.updatePost, ({ actor, params, body }) => service.changePost(ctx, actor, params.id, body));
  bind(contract.deletePost, async ({ actor, params }) => {
    await service.removePost(ctx, actor, params.id);
    return {
      info: 'Post deleted. Fans who unlocked it keep it. If no one did, its files are back in your media library.',
    };
  });
  bind(contract.pinPost, async ({ actor, params, body }) => {
    await service.pinPost(ctx, actor, params.id, body);
    return { isPinned: body.isPinned };
  });
  bind(contract.leavePost, async ({ actor, params }) => {
    await leavePost(ctx, actor, params.id);
    return { info: 'You’re no longer tagged in this post.' };
  });
  bind(contract.getPost, ({ actor, params }) => service.getPost(ctx, actor, params.id));
  bind(contract.listCreatorPosts, ({ actor, params, query }) =>
    service.listPostsOf(ctx, actor, params.creatorId, query),
  );
  bind(listHanging, ({ actor, query }) => listHung(ctx, actor, query));
  bind(listWorks, ({ actor, query }) => listAll(ctx, actor, query));
  bind(contract.listOwnPosts, ({ actor, query }) => service.listOwn(ctx, actor, query));
  bind(contract.likeUnlike, ({ actor, params, body }) => service.likePost(ctx, actor, params.id, body?.isLiked));

  bind(contract.unlockPost, ({ actor, params, body, operationId }) =>
    buyPost(ctx, actor, params.id, { price: body?.price, filesRevision: body?.filesRevision, operationId }),
  );
  bind(contract.listPurchasedPosts, ({ actor, query }) => listPurchased(ctx, actor, query));
  bind(contract.listCreatorMedia, ({ actor, params, query }) => listMediaOf(ctx, actor, params.creatorId, query));
  bind(contract.listContinueWatching, ({ actor, query }) => listContinued(ctx, actor, query));
  bind(contract.restorePurchasedPost, async ({ actor, params }) => {
    await restorePurchased(ctx, actor, params.id);
    return { success: true };
  });
  bind(contract.hidePurchasedPost, async ({ actor, params }) => {
    await hidePurchased(ctx, actor, params.id);
    return { success: true };
  });
}
