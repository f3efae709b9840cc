// data-export
export const profileAndCoverPhoto = 'Profile and cover photo';
export const profilePhotosExportDescription = 'The largest versions we store.';
export const profileExportDescription = 'Your profile details and view count.';

// discover
export const invalidOffset = 'Invalid offset';

// display-name-review
export const nameContainsLink = 'Names can’t contain links. If this isn’t one, add a space after the period.';
export const nameLooksLikeStaff = 'This name looks like Stagedoor staff. Choose a different one.';
export const nameTooSimilarToVerified =
  'This name is too similar to a verified creator’s. Add something to tell you apart.';
export const nameReviewMissing = 'There is no such name.';
export const nameAlreadyDecided = 'This was decided already.';

// embeds
export const invalidEmbedSite = 'Enter a site like https://example.com';

// oembed
export const postBy = 'Post by {authorName}';

// service
export const chooseDifferentCrop = 'Choose a different crop.';
export const choosePhoto = 'Choose a photo.';
export const enterName = 'Please enter name';
