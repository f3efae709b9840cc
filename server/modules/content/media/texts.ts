// data-export
export const watermarkExportHint = 'Whether your photos show the viewer’s username.';
export const watchHistory = 'Watch history';
export const mediaExportHint = 'Your uploads, each in the largest size we keep.';

// library/captions
export const captionsFormatError = 'Use a WebVTT (.vtt) or SubRip (.srt) file.';
export const emptyCaptionsError = 'This file has no captions.';
export const captionsEncodingError = 'This file isn’t UTF-8 text.';

// library/posters
export const photoExtrasError = 'Photos don’t have thumbnails or captions.';
export const fileStillProcessing = 'This file is still processing.';
export const noVideoTrack = 'This file has no video track.';
export const posterTimeOutOfRange = 'Choose a time within the video.';
export const videoProcessingUnavailable = 'We can’t process video right now. Try again later.';
export const noFrameAtThisTime = 'No frame at this time.';
export const chooseAnImage = 'Choose an image.';
export const labelTooLong = 'At most {maxLength} characters';
export const chooseALanguage = 'Choose a language.';
export const unknownLanguage = 'Unknown language';
export const chooseAFile = 'Choose a file.';
export const tooManyLanguages = 'At most {maxCount} languages.';

// library/service
export const photoPreviewError = 'Photos can’t have a free preview.';
export const previewTooLongError = 'The free preview ends after the file does.';
export const fileInUse = 'This file is in use and can’t be deleted.';

// profile-pictures
export const busyTryAgain = 'We’re busy. Try again in a moment.';
export const multipartFormRequired = 'Send a multipart form.';
export const formUnreadable = 'Couldn’t read the form.';
export const characterNotAllowed = 'This character isn’t allowed.';

// routes
export const mediaDeleted = 'Deleted. You can restore it within {days} days.';

// service
export const fileNoLongerExists = 'One of the files no longer exists.';
export const fileInAnotherPost = 'One of the files is already in another post.';
export const fileNotReady = 'One of the files isn’t ready.';

// uploads
export const uploadFailed = 'Something went wrong. Try again.';
export const logInToContinue = 'Log in to continue.';
export const uploadFileAction = 'Upload a file';
export const tooManyUnfinishedUploads = 'Too many uploads are unfinished. Finish or remove some first.';
