// account-deletion
export const deletionBlocked = 'You can’t delete your account yet:';
export const deletionObstaclesLabel = 'Before you can delete your account';
export const contactSupport = 'Contact support';
export const whatHappensNext = 'What happens next';
export const deletionSummary =
  '{deletedData}, and it can’t be undone after 14 days. {mediaNote}Transaction records are kept without your name.';
export const creatorDeletedData = 'Your profile, messages and media are deleted';
export const fanDeletedData = 'Your profile and messages are deleted';
export const unlockedMediaNote = 'Fans keep what they’ve unlocked. ';
export const deleteAccount = 'Delete account';
export const deleteAccountQuestion = 'Delete your account?';

// data-export
export const exportDescription =
  'A copy of your profile, posts, media, messages, calls and transactions. Opens in any browser.';
export const exportInPreparation = 'We’re preparing your data. We’ll notify you when it’s ready.';
export const exportFailed = 'Something went wrong. Request your data again.';
export const exportReadyUntil = 'Ready{size}. Available until {expiryTime}.';
export const exportReadySevenDays = 'Ready{size}. Available for 7 days.';
export const preparing = 'Preparing…';
export const requesting = 'Requesting…';
export const download = 'Download';
export const requestMyData = 'Request my data';
export const downloadYourData = 'Download your data';
export const confirmIdentityLead = 'Confirm it’s you. Store the file somewhere safe.';

// reauthentication-form
export const password = 'Password';
export const authenticationCode = 'Authentication code';
export const authenticationCodeHint = 'From your authenticator app, or a recovery code.';
