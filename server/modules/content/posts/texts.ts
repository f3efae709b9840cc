// access
export const thisPostIsFree = 'This post is free.';

// audience
export const tierGone = 'This tier no longer exists. Choose another one.';

// continue-watching
export const invalidOffset = 'Invalid offset';

// data-export
export const postsExportHint = 'Your posts, including deleted ones.';
export const unlockedPosts = 'Unlocked posts';
export const unlockedPostsExportHint = 'Posts you unlocked and what you paid.';
export const likedPostsExportHint = 'Posts you liked.';

// publish
export const addAtLeastOneFile = 'Add at least one file';
export const mixedMediaError = 'A post can have photos, one video or one audio file.';
export const duplicateFileError = 'You added the same file twice.';
export const paidPosts = 'Paid posts';
export const posts = 'Posts';

// purchases
export const postChangedError = 'This post has changed. Please review it before you unlock.';
export const priceChangedError = 'The price is now {price}.';
export const alreadyUnlocked = 'You’ve already unlocked this.';
export const postUnavailable = 'This post is no longer available.';

// routes
export const postDeleted =
  'Post deleted. Fans who unlocked it keep it. If no one did, its files are back in your media library.';
export const ownTagRemoved = 'You’re no longer tagged in this post.';

// service
export const unlockedFilesLocked =
  'Fans have unlocked this post, so you can’t remove its files. You can add files, or delete the post and publish a new one.';
export const postRemoved = 'This post was removed.';
export const pinnedPostsLimit = 'You can pin up to {maxCount} posts. Unpin one first.';

// tagged-users
export const ownTagError = 'You don’t need to tag yourself.';
export const taggedUserNotCreator = 'One of these people is no longer a creator.';
export const tagRemovedByUser = '{name} removed themselves from this post.';
