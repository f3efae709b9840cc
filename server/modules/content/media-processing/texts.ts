// error-messages
export const fileIsEmpty = 'This file is empty.';
export const unreadableFileError =
  'We can’t read this file. Use a photo (JPEG, PNG, WebP, GIF, AVIF, HEIC), a video (MP4, MOV, WebM, MKV, OGG) or audio (MP3, M4A, AAC, OGG, WAV, FLAC).';
export const unreadableImageError = 'We can’t read this image. Use JPEG, PNG, WebP, GIF, AVIF or HEIC.';
export const useAnImage = 'Use an image: JPEG, PNG, WebP, GIF, AVIF or HEIC.';
export const unsupportedImageCoding = 'We can’t read this image. Export it as JPEG or PNG.';
export const imagePixelLimit = 'This image is too large. The limit is {megapixels} megapixels.';
export const imageSideLimit = 'This image is too wide or too tall. The limit is {pixels} pixels on each side.';
export const imageSizeLimit = 'This image is too large. The limit is {megabytes} MB.';
export const fileSizeLimit = 'This file is too large. The limit is {megabytes} MB.';
export const animationLengthLimit =
  'This animation is too long. The limit is {seconds} seconds and {frames} frames. Export it as MP4.';
export const animationTooLarge = 'This animation is too large. Export it as MP4.';
export const imageDamaged = 'This image is damaged or incomplete. Upload it again.';
export const videoDamaged = 'This video is damaged or incomplete. Upload it again.';
export const audioDamaged = 'This audio file is damaged or incomplete. Upload it again.';
export const photoProcessingFailed = 'Couldn’t process this photo. Try another copy.';
export const fileProcessingFailed = 'Couldn’t process this file. Try another copy.';
export const unplayableFormat = 'We can’t play this format. Export it as MP4 (H.264 and AAC).';
export const fileLengthLimit = 'This file is too long. The limit is {hours} hours.';
export const videoResolutionTooHigh = 'This video’s resolution is too high. The limit is 4096 × 2304 pixels.';
export const processingTookTooLong = 'This file took too long to process. Try a shorter or smaller copy.';
export const videoProcessingUnavailable = 'This server can’t process video, audio or animations yet. Photos work.';
export const uploadsTemporarilyUnavailable = 'We can’t accept this file right now. Try again later.';

// unsupported-types
export const exportAsImageAdvice = 'Export it as JPEG or PNG.';
export const exportAsVideoAdvice = 'Export it as MP4 (H.264 and AAC).';
export const exportAsAudioAdvice = 'Export it as MP3, M4A, FLAC or WAV.';
export const extractFilesAdvice = 'Extract it and upload the files inside.';
export const exportPagesAdvice = 'Export its pages as JPEG or PNG.';
export const uploadSupportedTypeAdvice =
  'Upload a photo (JPEG, PNG, WebP, GIF, AVIF, HEIC), a video (MP4, MOV, WebM) or audio (MP3, M4A).';
export const exportBestPhotoAdvice = 'Export its best photo as JPEG.';
export const uploadVideoItselfAdvice = 'Upload the video itself, as MP4.';
export const addCaptionsToVideoAdvice = 'Add them to a video in your media library instead.';
export const exportImageOrVideoAdvice = 'Export it as JPEG, PNG or MP4.';
export const imageType = 'an image ({extension})';
export const videoType = 'a video ({extension})';
export const audioFileType = 'an audio file ({extension})';
export const threeDimensionalModelType = 'a 3D model ({extension})';
export const officeDocumentType = 'an Office document ({extension})';
export const iworkDocumentType = 'an iWork document ({extension})';
export const otherFileType = 'a file ({extension})';
export const fileTypeNotSupported = 'This is {typeName}. This file type isn’t supported. {advice}';
export const fileTypeNotSupportedHere = 'This is {typeName}. This file type isn’t supported here. {advice}';
export const detectedFileType = 'This is {typeName}. ';
