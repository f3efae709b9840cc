// counter-notice
export const counterNoticeCaseTitle = 'Counter-notice to {reference}{titleSuffix}';
export const counterNoticeReceivedClaimant =
  'The person who posted it sent a counter-notice, {reference}. We’ve emailed it to you.';
export const counterNoticeReceipt =
  'We’ve received your counter-notice and forwarded it to {claimantName}. Unless they file a court action, your content will be restored 10 to 14 business days from today.';
export const nothingRemovedForCopyright = 'This decision didn’t remove anything for copyright.';
export const deadlineHasPassed = 'The deadline has passed.';
export const alreadyReversed = 'This was already reversed.';
export const counterNoticeAlreadySent = 'You’ve already sent a counter-notice for this.';
export const counterNoticeForwarded = 'Counter-notice forwarded. Reference: {reference}.';

// data-export
export const noticesExportLabel = 'Copyright notices and counter-notices';
export const noticesExportDescription =
  'The contact details you gave in each, newest first. The texts are under Messages to Stagedoor.';

// link
export const logInForCounterNotice = 'Log in and send your counter-notice in Help.';

// notice
export const linkSubjectMismatch = 'doesn’t match a {subject} on Stagedoor. Check the link.';
export const linksPerNoticeLimit = 'Up to {max} links per notice. Send another notice for the rest.';
export const noticeResentEntry = 'The notice was sent again with updated sender details.';
export const copyrightNoticeCaseTitle = 'Copyright notice about a {subject}{titleSuffix}';
export const enterAtLeastOneLink = 'Enter at least one link';
export const noticeReceipt = 'Thanks, we’ve received your notice. Reference: {references}.';

// notify
export const counterNoticeClosedByCourt =
  'Your counter-notice is closed: the claimant filed a court action. The content stays down for now.';
export const counterNoticeDeclinedPoster = 'We declined your counter-notice. You can send another one.';
export const courtActionRecorded = 'We’ve recorded your court action. The removed content stays down.';
export const counterNoticeDeclinedClaimant = 'The counter-notice was declined. The removed content stays down.';
export const contentRestoredClaimant = 'The content we removed after your notice has been restored.\n\n{reason}';
