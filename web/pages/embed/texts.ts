// document
export const missingPage = 'Not found';
export const contentUnavailable = 'This content is no longer available.';
export const exploreStagedoor = 'Explore Stagedoor';
export const documentTitle = '{title} · Stagedoor';

// post
export const previewTitle = 'Preview of {title}';
export const blurredPostPreview = 'Blurred preview of {title}';
export const postByName = 'Post by {authorName}';
export const viewOnStagedoor = 'View on Stagedoor';
export const unlockForPrice = 'Unlock · {price}';
export const postTitleByName = '{title} by {authorName}';
export const post = 'Post';

// profile
export const viewProfile = '{logo}View profile';

// tip
export const tipCreator = 'Tip {creatorName}';
export const tipButton = 'Tip';
