// og-image-cache
export const busyTryAgain = 'We’re busy. Try again in a moment.';

// og-image-details
export const followForFree = 'Follow for free';
export const callRate = 'Calls at {price} a minute';
export const photoCount = '{count} photos';
export const freeToView = 'Free to view';
export const unlockFor = 'Unlock · {price}';
