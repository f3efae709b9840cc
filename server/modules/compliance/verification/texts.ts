// admin
export const newDocumentsSubmitted = 'New documents were submitted since you viewed them. View them again.';
export const documentsNotViewed = 'View the documents before you decide.';
export const documentBackSide = '{document}, back';
export const alreadyDecided = 'This was decided already.';
export const noSuchPicture = 'There is no such picture.';

// creator
export const alreadyVerified = 'You’re already verified.';
export const checkDateOfBirth = 'Check your date of birth';
export const creatorsMinimumAge = 'Creators must be at least {age}.';
export const enterDetailsFirst = 'Enter your details first.';
export const photoNotNeeded = 'This document doesn’t need that photo.';
export const photoAlreadyAccepted = 'This photo has already been accepted.';
export const agreementHasChanged = 'The agreement has changed. Review it again.';
export const signNameMustMatch = 'Sign with your full legal name, as in your details.';
export const signWithFullLegalName = 'Sign with your full legal name.';
export const photoMissing = 'A photo is missing.';
export const signAgreement = 'Sign the agreement.';

// pictures
export const choosePhoto = 'Choose a photo.';
export const imageTooSmall = 'Image too small. Use at least {pixels} pixels.';

// store
export const documentDeletedReason = 'It was deleted after 30 days. Please take a new one.';
