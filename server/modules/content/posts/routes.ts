import { listFeaturedWorks, listWorks } from '@stagedoor/contract/content/discovery-works.ts';
import * as contract from '@stagedoor/contract/content/posts.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { registerMediaGrant } from '../media/index.ts';
import { registerPostDeletionStep } from './account-deletion.ts';
import { updateAudiences } from './audience.ts';
import { listContinueWatchingItems } from './continue-watching.ts';
import { registerPostExportParts } from './data-export.ts';
import { getFeaturedWorksPage, getWorksPage } from './discovery-works.ts';
import { registerPostHandlers } from './handlers.ts';
import { registerLinkPreviews } from './link-preview.ts';
import { canViewMedia } from './media-access.ts';
import { listPostedMedia } from './media-tab.ts';
import { registerPostMediaUses } from './media-uses.ts';
import { buyPost, hidePurchased, restorePurchased, viewPurchasedPosts } from './purchases.ts';
import * as service from './service.ts';
import { removeOwnTag } from './tagged-users.ts';
import * as texts from './texts.ts';

export function register(server: ModuleHost): void {
  const { ctx, bind } = server;
  registerPostDeletionStep(ctx);
  registerPostExportParts(ctx);
  registerMediaGrant(ctx, 'post', (viewer, mediaId) => canViewMedia(ctx, viewer.userId, mediaId));
  registerPostMediaUses(ctx);
  registerPostHandlers(ctx);
  registerLinkPreviews(server);

  bind(contract.createPost, ({ actor, body, operationId }) => service.publishPost(ctx, actor, body, operationId));
  bind(contract.updatePost, ({ actor, params, body }) => service.editPost(ctx, actor, params.id, body));
  bind(contract.deletePost, async ({ actor, params }) => {
    await service.removePost(ctx, actor, params.id);
    return {
      info: texts.postDeleted,
    };
  });
  bind(contract.pinPost, async ({ actor, params, body }) => {
    await service.pinPost(ctx, actor, params.id, body);
    return { isPinned: body.isPinned };
  });
  bind(contract.updatePostAudiences, ({ actor, body }) => updateAudiences(ctx, actor, body.posts));
  bind(contract.removeOwnTag, async ({ actor, params }) => {
    await removeOwnTag(ctx, actor, params.id);
    return { info: texts.ownTagRemoved };
  });
  bind(contract.getPost, ({ actor, params }) => service.getPost(ctx, actor, params.id));
  bind(contract.listCreatorPosts, ({ actor, params, query }) =>
    service.listProfilePosts(ctx, actor, params.creatorId, query),
  );
  bind(listFeaturedWorks, ({ actor, query }) => getFeaturedWorksPage(ctx, actor, query));
  bind(listWorks, ({ actor, query }) => getWorksPage(ctx, actor, query));
  bind(contract.listOwnPosts, ({ actor, query }) => service.viewOwnPosts(ctx, actor, query));
  bind(contract.likeUnlikePost, ({ actor, params, body }) => service.likePost(ctx, actor, params.id, body?.isLiked));

  bind(contract.unlockPost, ({ actor, params, body, operationId }) =>
    buyPost(ctx, actor, params.id, { price: body?.price, filesRevision: body?.filesRevision, operationId }),
  );
  bind(contract.listPurchasedPosts, ({ actor, query }) => viewPurchasedPosts(ctx, actor, query));
  bind(contract.listCreatorMedia, ({ actor, params, query }) => listPostedMedia(ctx, actor, params.creatorId, query));
  bind(contract.listContinueWatching, ({ actor, query }) => listContinueWatchingItems(ctx, actor, query));
  bind(contract.restorePurchasedPost, async ({ actor, params }) => {
    await restorePurchased(ctx, actor, params.id);
    return { success: true };
  });
  bind(contract.hidePurchasedPost, async ({ actor, params }) => {
    await hidePurchased(ctx, actor, params.id);
    return { success: true };
  });
}
