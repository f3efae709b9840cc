// audience-field
export const whoCanOpenIt = 'Who can open it';
export const chooseWhoCanOpenIt = 'Choose who can open it';
export const tierGone = 'This tier no longer exists. Choose another one.';
export const noTiersHint = 'Include it in a subscription? {link}';
export const setUpTiers = 'Set up tiers';

// detail-fields
export const tags = 'Tags';

// draft-editor
export const youHaveUnsavedChanges = 'You have unsaved changes.';
export const priceNotValidYet = 'The price isn’t valid yet.';
export const uploadsWillStop = '{fileCount} will stop uploading. Reopen the draft to resume.';
export const save = 'Save';
export const schedule = 'Schedule';
export const publish = 'Publish';
export const saveChanges = 'Save changes';
export const saveDraft = 'Save draft';
export const scheduledPublishingFailed = 'Scheduled publishing failed: {failure}';
export const atAScheduledTime = 'at a scheduled time';
export const preview = 'Preview';

// draft-list
export const untitled = 'Untitled';
export const free = 'Free';
export const noFilesYet = 'no files yet';
export const filesUploading = '{fileCount} uploading';
export const filesPartlyUploaded = '{fileCount} partly uploaded';
export const processingFiles = '{processingCount} processing';
export const failedFiles = '{failedCount} failed';
export const published = 'Published.';
export const movedToDrafts = 'Moved to drafts.';
export const publishNow = 'Publish now';
export const unschedule = 'Unschedule';
export const edit = 'Edit';
export const editedAt = 'Edited {updatedAt}';
export const optionsFor = 'Options for {name}';
export const deleteDraftQuestion = 'Delete this draft?';
export const deleteDraftConsequence = 'The text is deleted permanently. Files stay in your media library.';
export const publishNowQuestion = 'Publish now?';
export const publishNowConsequence = '“{name}” will be published now instead of at its scheduled time.';
export const noDrafts = 'No drafts';
export const noDraftsHint = 'Drafts save automatically.';
export const writeAPost = 'Write a post';
export const noScheduledPosts = 'No scheduled posts';
export const noScheduledPostsHint = 'Schedule a post and it will be published automatically.';
export const shownDraftCount = '{draftCount} of {total}';

// drop-anywhere
export const dropToAdd = 'Drop to add';

// fields
export const captionLengthLimit = 'At most {captionLength} characters';
export const paidPosts = 'Paid posts';
export const posts = 'Posts';
export const price = 'Price';
export const priceRange = 'From {min} to {max}';
export const caption = 'Caption';
export const firstLineHint = 'The first line becomes the title.';
export const whoCanSeeThis = 'Who can see this?';
export const freeForEveryone = 'Free for everyone';
export const paid = 'Paid';
export const usersTagged = '{usersCount} tagged';
export const more = 'More';

// file-sheet
export const photo = 'Photo';
export const video = 'Video';
export const audio = 'Audio';
export const itemOfCount = '{itemLabel} of {count}';
export const audioDescriptionLabel = 'Description for people who can’t hear it';
export const altText = 'Alt text';
export const moveEarlier = 'Move earlier';
export const moveLater = 'Move later';
export const remove = 'Remove';
export const done = 'Done';

// file-state
export const waiting = 'Waiting';
export const checkingFile = 'Checking file';
export const converting = 'Converting';
export const optimizingForAllDevices = 'Optimizing for all devices';
export const addingHigherQuality = 'Adding higher quality';
export const creatingPreview = 'Creating preview';
export const queued = 'Queued';
export const paused = 'Paused';
export const uploading = 'Uploading';
export const uploadProgress = '{sent} of {byteSize}{pace}';
export const continueUpload = 'Continue';
export const pause = 'Pause';
export const connectionLost = 'Connection lost. Will resume automatically.';
export const pausedUploadProgress = '{sent} of {byteSize}';
export const tryNow = 'Try now';
export const stopped = 'Stopped';
export const stoppedUploadProgress = '{sent} of {byteSize} uploaded';
export const sameFileHint = 'Choose the same file again to resume the upload.';
export const chooseNamedFileAgain = 'Choose {name} again';
export const chooseTheFileAgain = 'Choose the file again';
export const higherQualityComingSoon = '. Higher quality coming soon.';
export const fileReady = '{length}{byteSize}, ready{more}';
export const leftOutSubtitles =
  'We left out {trackCount} that we can’t convert. You can add captions in the video’s details.';
export const videoDetailsLink = 'Thumbnail, free preview and captions';
export const audioDetailsLink = 'Cover, free preview and captions';
export const opensInNewTab = ', opens in a new tab';
export const fileUnusable = '{label}, can’t be used';
export const hasAltText = 'has alt text';
export const noAltText = 'no alt text';
export const fileUsedElsewhereError = 'This file is already in another post. Remove it.';

// file-tiles
export const processing = 'Processing';
export const removeFile = 'Remove {kind} {index}';
export const chooseFiles = 'Choose files';
export const chooseFilesHint = 'Up to {files} photos, or one video or audio file. Drag and drop or paste.';
export const photoCountHint = 'Up to {files} photos.';
export const oneVideoOrAudioHint = 'One video or audio file per post.';
export const altTextHint = 'Tap to add alt text.';
export const altTextOrReorderHint = 'Tap to add alt text or reorder.';
export const files = 'Files';
export const inOrder = 'In order';
export const fileRemovedHint = 'Removed. It’s still in your media library.';
export const undo = 'Undo';

// items
export const unsupportedFileError = '{name} isn’t supported. Use a photo, video or audio file.';
export const fileEmptyError = '{name} is empty.';
export const fileTooLargeError = '{name} is larger than {maxSize}.';
export const fileCountError = 'A post can have up to {files} files.';
export const mixedFilesError = 'A post can have photos, one video or one audio file. Remove the others.';
export const addAtLeastOneFile = 'Add at least one file';
export const removeFailedFilesFirst = 'Remove failed files first.';
export const filesUsedElsewhereError = 'One of these files is already in another post. Remove it.';
export const missingFileError = 'Choose the missing file again or remove it.';

// leave-guard
export const leavePageQuestion = 'Leave this page?';
export const saving = 'Saving…';
export const saveAndLeave = 'Save and leave';
export const leaveWithoutSaving = 'Leave without saving';
export const leave = 'Leave';
export const stay = 'Stay';

// library-choice
export const inAPost = 'In a post';
export const sentInChat = 'Sent in chat';
export const inAnotherDraft = 'In another draft';
export const inADraft = 'In a draft';

// library-picker
export const fileInUse = '{name}, {use}';
export const showFiles = 'Show';
export const unusedFiles = 'Unused';
export const allFiles = 'All';
export const noResultsFor = 'No results for “{search}”.';
export const noFilesAvailableToSend = 'No files available to send.';
export const noUnusedFiles = 'No unused files in your library.';
export const chooseFromDeviceHint = 'Choose files from this device instead.';
export const mediaLibrary = 'Media library';
export const searchLibrary = 'Search titles, tags and file names';
export const selectFiles = 'Select files';
export const addFiles = 'Add {fileCount}';
export const fromYourLibrary = 'From your library';

// module
export const newPost = 'New';

// net-amount
export const fanPaysYouEarn = 'Fan pays {price}, you earn {earnings}.';
export const fanPays = 'Fan pays';
export const youEarn = 'You earn';

// publish-bar
export const publishingWhenReady = 'Publishing when ready…';
export const schedulingWhenUploaded = 'Scheduling when uploaded…';
export const savingWhenReady = 'Saving when ready…';
export const cancelWaiting = 'Cancel';
export const postStaysDraft = 'Your post stays a draft if you leave now.';
export const postStaysScheduled = 'Your post stays scheduled if you leave now.';

// reorder
export const movedToPosition = 'Moved to position {position} of {count}.';

// save-state
export const editedSince = 'Edited since ';
export const savedAt = 'Saved ';
export const withoutThePrice = ', without the price';
export const notSaved = 'Not saved. {message}';
export const notSavedYetBecause = 'Not saved yet: {message}';
export const notSavedYet = 'Not saved yet';
export const draftConflictQuestion = 'Which version do you want to keep?';
export const draftConflict =
  'This draft was edited in another window or on another device, {updatedAt}. The other version, “{title}”, has {fileCount}.';
export const useThisVersion = 'Keep this version';
export const useTheOtherVersion = 'Use the other version';
export const saveBothSeparately = 'Keep both as separate drafts';
export const saveAsANewDraft = 'Save as a new draft';
export const draftGoneWarning = 'This draft was published or deleted elsewhere. Your changes here won’t be saved.';

// schedule-field
export const chooseADateAndTime = 'Choose a date and time';
export const chooseAFutureTime = 'Choose a time in the future.';
export const chooseTimeWithinAYear = 'Choose a time within a year.';
export const whenToPublish = 'When to publish';
export const dateAndTime = 'Date and time';

// tagged-users-field
export const tagUsers = 'Tag people';
export const tagLimitReached = 'You can’t tag more people.';
export const tagUsersHint = 'Search creators by name. They can remove themselves.';
export const searchResults = 'Search results';
export const searching = 'Searching…';
export const noMatchingCreators = 'No creators found.';
export const taggedUsers = 'Tagged people';
export const removeTaggedUser = 'Remove {name}';

// tags-field
export const notATag = 'not a valid tag';
export const tagCountLimit = 'At most {tags} tags';
export const tagsAdded = 'Added {newTags}.';
export const tagRemoved = 'Removed {tag}.';
export const tagsHint = 'Press Enter or comma to add.';
export const selectedTags = 'Selected tags';
export const removeTag = 'Remove tag {tag}';

// upload-pace
export const fewSecondsLeft = 'a few seconds left';
export const secondsLeft = 'about {seconds} seconds left';
export const aboutAMinuteLeft = 'about a minute left';
export const minutesLeft = 'about {minutes} minutes left';
export const aboutAnHourLeft = 'about an hour left';
export const hoursLeft = 'about {hours} hours left';

// uploader
export const uploadInterruptedError = 'Upload interrupted. Choose the file again.';

// use-files
export const differentFileError = 'That’s a different file. Choose {name} to resume.';
