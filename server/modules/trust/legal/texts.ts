// agreements
export const newerVersionNeedsAgreement = 'There’s a newer version. Please review it and agree again.';
export const changedTextNeedsAgreement = 'This text has changed. Please review it and agree again.';

// company-details
export const settingsChangedBySomeoneElse = 'Someone else changed these settings. Showing the latest.';

// notify
export const policyAgreementNotice =
  'You’ll be asked to accept it next time you log in. Nothing changes for you until then.';
export const noActionNeeded = 'No action needed.';
export const policyUpdateSubject = 'Updated: {title}';
export const policyUpdateMail =
  'Hello {username},\n\nWe’ve updated our policies. Effective {effectiveDate}: {title}.\n\nWhat changed: {changes}\n\n{actionText}\n\nRead it: {siteUrl}{path}\n\nWe send this to all users once per update.\n';

// privacy-hooks
export const whatYouAgreedTo = 'Terms you agreed to';
export const agreementsExportDescription = 'The terms you agreed to, as they read at the time.';
