import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { isVisible } from './access.ts';
export { type PostRow, postsStatement, readPosts, readStored, type StoredPost } from './hydrate.ts';
export { findAnyPost, hidePost, latestPostsOf, showPost, soldOf, standingOfPost } from './moderation.ts';
export { findPeople, requirePeople } from './people.ts';
export { presentPerson, presentPost, titleOf } from './present.ts';
export { type Thumbnail, thumbnailOf } from './preview.ts';
export { previewContent } from './preview-content.ts';
export { type PostContent, publishContent, requireMayAsk, requireOnce, typeOf } from './publish.ts';
export { getPost, openPost } from './service.ts';
export { markInTimelines } from './store.ts';
export { writePost } from './write.ts';

export const room = { ...manifest, register };
