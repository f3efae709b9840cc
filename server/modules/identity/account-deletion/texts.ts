// service
export const deletionHiddenPeriod =
  'You’re logged out everywhere. Your account is hidden for 14 days; log in to restore it.';
export const deletedPersonalData =
  'After that, your name, email, profile, photo, devices, notifications and messages are deleted.';
export const transactionRecordsRetained = 'We keep transaction records without your name, as the law requires.';
export const usernameReserved = 'No one can use your username for a year.';
export const deletedCreatorContent = 'Your posts, media and drafts are deleted. Fans keep what they’ve unlocked.';
export const identityDocumentsRetained = 'Identity documents are kept encrypted for as long as the law requires.';
export const purchasesLostHint = 'You’ll lose access to your purchases. Download your data and receipts first.';
export const deletionScheduled = 'Your account will be deleted on {date}. Log in before then to keep your account.';
