// library/captions-editor
export const chooseAFile = 'Choose a file.';
export const captionsFormatError = 'Captions must be a WebVTT (.vtt) or SubRip (.srt) file.';
export const fileEmptyError = '{name} is empty.';
export const fileTooLargeError = '{name} is larger than {maxSize}.';
export const captionsAdded = 'Captions added.';
export const uploadFailedTryAgain = 'Upload failed. Try again.';
export const removeCaptionsQuestion = 'Remove these captions?';
export const removeCaptionsConsequence = '{language}. Viewers who rely on captions won’t be able to follow.';
export const remove = 'Remove';
export const captions = 'Captions';
export const removeLanguageCaptions = 'Remove {label}';
export const language = 'Language';
export const file = 'File';
export const webvttOrSubrip = 'WebVTT or SubRip';
export const uploading = 'Uploading…';
export const replaceCaptions = 'Replace captions';
export const leftOutSubtitles = 'We left out {trackCount} in this file that we can’t convert.';
export const addCaptions = 'Add captions';

// library/labels
export const photo = 'Photo';
export const video = 'Video';
export const audio = 'Audio';
export const queued = 'Queued';
export const checkingFile = 'Checking file';
export const converting = 'Converting';
export const readyHigherQualityComing = 'Ready. Higher quality coming soon';
export const ready = 'Ready';
export const untitled = 'Untitled';

// library/library-card
export const processingFailed = 'Processing failed.';
export const used = 'Used';
export const unused = 'Unused';
export const processingMedia = 'Processing {media}';
export const selectMedia = 'Select {media}';

// library/library-filters
export const searchLibrary = 'Search titles, tags and file names';
export const titleTagOrFileName = 'Title, tag or file name';
export const type = 'Type';
export const usage = 'Usage';

// library/library-grid
export const uploads = 'Uploads';

// library/media-details
export const processingFailedUploadAgain = 'Processing failed. Upload it again.';
export const uploaded = 'Uploaded';
export const defaultPrice = 'Default price';
export const freePreview = 'Free preview';
export const earned = 'Earned';
export const afterFees = 'After fees';
export const fansWhoUnlockedIt = 'Fans who unlocked it';
export const usedIn = 'Used in';
export const notUsedYet = 'Not used yet.';
export const untitledPost = 'Untitled post';
export const aMessage = 'A message';
export const post = 'Post';
export const chat = 'Chat';
export const removed = 'Removed';
export const free = 'Free';

// library/media-form
export const saved = 'Saved.';
export const title = 'Title';
export const privateTitleHint = 'Only you see this title.';
export const titleLengthLimit = 'At most {maxLength} characters';
export const tags = 'Tags';
export const tagsHint = 'Letters, numbers and hyphens. Press Enter to add.';
export const defaultAccess = 'Default access';
export const paid = 'Paid';
export const priceRangeHint = 'From {min} to {max}. You can change it per post or message.';
export const saving = 'Saving…';
export const save = 'Save';

// library/poster-upload
export const coverUpdated = 'Cover updated.';
export const thumbnailUpdated = 'Thumbnail updated.';
export const uploadImage = 'Upload image';

// library/queries
export const all = 'All';
export const photos = 'Photos';
export const albums = 'Albums';
export const videos = 'Videos';

// library/selection
export const filesDeleted = '{fileCount} deleted.';
export const filesNotDeleted = '{fileCount} couldn’t be deleted. {pronoun} may be in use.';
export const itSubject = 'It';
export const theySubject = 'They';
export const filesSelected = '{fileCount} selected';
export const allUnusedShown = 'All {unusedCount} shown';
export const cancel = 'Cancel';
export const deleteButton = 'Delete';
export const deleteFilesQuestion = 'Delete {fileCount}?';
export const deleteFilesConsequence =
  '{subject} removed from your library now and permanently deleted after {days} days. Posts and messages aren’t affected.';
export const itIsSubject = 'It’s';
export const theyAreSubject = 'They’re';
export const deleting = 'Deleting…';

// library/use-library
export const undo = 'Undo';

// module
export const media = 'Media';

// player/audio-player
export const viewDetails = 'View details';
export const tryAgain = 'Try again';
export const playAgain = 'Play again';
export const play = 'Play';
export const pause = 'Pause';
export const audioTitle = 'Audio: {title}';

// player/audio-preview
export const processing = 'Processing';
export const playAudio = 'Play {title}{resumeNote}, {label}';
export const resumeNote = ', resume at {position}';
export const resumeAt = 'Resume at {position}';
export const startOver = 'Start over';

// player/commands
export const volumePercent = 'Volume {volume} %';
export const muted = 'Muted';
export const unmuted = 'Unmuted';
export const speedRate = 'Speed {rate}×';

// player/frame-picker
export const selectedFrame = 'Selected frame';
export const frame = 'Frame';
export const positionOfDuration = '{second} of {durationSeconds}';
export const useThisFrame = 'Use this frame';

// player/loop-player
export const animationTitle = 'Animation: {title}';

// player/media-player
export const playMedia = 'Play {title}, {buttonLabel}';

// player/player-status
export const offlinePlaybackHint = 'You’re offline. Playback resumes when you’re back online.';
export const couldntLoadThis = 'Couldn’t load this.';
export const unsupportedByBrowser = 'Your browser can’t play this.';
export const accessLost = 'You no longer have access to this.';
export const loading = 'Loading…';
export const resumedAt = 'Resumed at {startedAt}{startOverButton}';

// player/scrubber
export const position = 'Position';

// player/seek-preview
export const playerLoadError = 'Couldn’t load the player. Reload the page.';

// player/teaser-picker
export const startsAt = 'Starts at';
export const endsAt = 'Ends at';
export const previewLength = '{length} long (max 00:45)';
export const stop = 'Stop';
export const playPreview = 'Play preview';
export const freePreviewSaved = 'Free preview saved';
export const saveFreePreview = 'Save free preview';
export const removeFreePreview = 'Remove free preview';

// player/teaser
export const previewSeconds = 'Preview {seconds}';

// player/use-captions
export const noCaptions = 'No captions';
export const captionsOff = 'Captions off';
export const captionsLanguage = 'Captions: {language}';

// player/video-buttons
export const unmute = 'Unmute';
export const mute = 'Mute';
export const volume = 'Volume';
export const speed = 'Speed';
export const autoQuality = 'Auto ({playingHeight}p)';
export const auto = 'Auto';
export const quality = 'Quality';
export const off = 'Off';
export const pictureInPicture = 'Picture in picture';
export const notAvailableOnThisDevice = 'Not available on this device';
export const exitFullScreen = 'Exit full screen';
export const fullScreen = 'Full screen';

// player/video-player
export const videoTitle = 'Video: {title}';

// player/viewer-lightbox
export const couldntLoadThisPhoto = 'Couldn’t load this photo.';
export const positionInSet = '{index} of {count}';
