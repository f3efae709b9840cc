// decision
export const reasonFor = 'Reason: {documentName}';
export const customReason = 'In your own words';
export const creatorSeesThisHint = 'The creator sees this.';
export const messagePreview = 'Message preview';
export const decide = 'Decide';
export const documentsAndReasons = 'Documents and reasons';
export const sending = 'Sending…';
export const selectAnOption = 'Select an option';
export const auditLogNote = 'Views and decisions are recorded in the audit log.';

// queries
export const waiting = 'Waiting';
export const unreadable = 'Unreadable';
export const declined = 'Declined';
export const verifiedQueue = 'Verified';

// queue-rows
export const verifications = 'Verifications';
export const sentAt = 'Sent {time}';

// reasons
export const glareReason = 'There’s glare on part of it. Move away from direct light and tilt it slightly.';
export const blurryReason = 'It’s blurry. Hold still and wait until the picture is sharp.';
export const cutOffReason = 'Part of it is cut off. Make sure all four corners are visible.';
export const darkDocumentReason = 'It’s too dark. Turn on a light or move to a window.';
export const wrongSideReason = 'Wrong side. Turn it over.';
export const expiredReason = 'This document has expired. Use a valid one.';
export const nameMismatchReason = 'The name doesn’t match your details.';
export const birthDateMismatchReason = 'The date of birth doesn’t match your details.';
export const wrongTypeReason = 'This isn’t the document type you selected.';
export const copyReason = 'This is a copy or a photo of a screen. Use the original document.';
export const darkFaceReason = 'Your face is too dark. Face a window.';
export const coveredFaceReason = 'Part of your face is covered or cut off.';
export const selfieMismatchReason = 'Your selfie doesn’t match your ID.';
export const photoOfPhotoReason = 'This is a photo of a photo. Take a live selfie.';
export const identityConfirmed = 'Identity confirmed';
export const verifyButton = 'Verify';
export const verifiedConfirmation = 'Verified.';
export const requestAgain = 'Request again';
export const documentsRequestedConfirmation = 'New documents requested.';
export const declineButton = 'Decline';
export const declinedConfirmation = 'Declined.';

// verification-record
export const missing = 'Missing';
export const toReview = 'To review';
export const rejected = 'Rejected';
export const accepted = 'Accepted';
export const legalName = 'Legal name';
export const dateOfBirth = 'Date of birth';
export const notSubmittedYet = 'Not yet';
export const agreementNotSigned = 'Not signed';
export const details = 'Details';
export const documents = 'Documents';
export const photoUnavailable = 'This photo was deleted or couldn’t be loaded.';
export const backToTheQueue = 'Back to the queue';
export const decidedNote = 'Decided. It returns to the queue if the creator submits again.';
