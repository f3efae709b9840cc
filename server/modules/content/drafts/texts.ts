// data-export
export const draftsExportDescription = 'Posts you haven’t published.';

// publish
export const draftEditedElsewhere = 'This draft was edited elsewhere. Reload it.';
export const blockedAtScheduledTime = 'Your account was blocked at the scheduled time.';
export const publishingFailed = 'Something went wrong. Publish it again.';

// routes
export const fileUsedInDraft = 'This file is used in a draft. Remove it or delete the draft first.';
export const draftDeleted = 'Draft deleted. Its files are still in your media library.';

// service
export const draftFileMissing = 'One of the files no longer exists.';
export const chooseFutureTime = 'Choose a time in the future.';
export const chooseTimeWithinYear = 'Choose a time within a year.';
export const addAtLeastOneFile = 'Add at least one file';
export const removeFailedFilesFirst = 'Remove failed files first.';
export const fileAlreadyInPost = 'One of these files is already in another post. Remove it.';
export const draftsLimit = 'You have {max} drafts. Publish or delete some first.';
export const invalidOffset = 'Invalid offset';
export const noPreviewYet = 'No preview yet. The files are still processing.';
