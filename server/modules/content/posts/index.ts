import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { isVisible } from './access.ts';
export { requireOwnAudiences, toPublishedDetails } from './audience.ts';
export { presentPostPreview } from './draft-preview.ts';
export { createPostsStatement, type PostRow, queryPosts, queryStoredPosts, type StoredPost } from './hydrate.ts';
export { findPostThumbnail, type Thumbnail } from './link-preview.ts';
export {
  findAnyPost,
  getModerationStatus,
  getSalesTotals,
  hidePost,
  listLatestPosts,
  unhidePost,
} from './moderation.ts';
export { presentPost, presentTaggedUser, toPostTitle } from './present.ts';
export { type PostContent, publishContent, requirePublishable, requireUniqueMedia, toPostType } from './publish.ts';
export { serializePost } from './serialize.ts';
export { getPost, getPublicPost } from './service.ts';
export { markInTimelines } from './store.ts';
export { listTaggableUsers, requireTaggable } from './tagged-users.ts';

export const featureModule = { ...manifest, register };
