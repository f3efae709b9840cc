// claim
export const counterNoticeClosed = 'Your counter-notice {reference} is closed.';
export const counterNoticeInCourt =
  'The claimant filed a court action after your counter-notice {reference}. The content stays down for now.';
export const counterNoticeDeclined = 'We declined your counter-notice {reference}. Check your email for details.';
export const counterNoticeForwarded =
  'Your counter-notice {reference} was forwarded. Unless they file a court action, your content will be restored between {restoreFrom} and {restoreBy}.';
export const claimSummary = '{claimantName} claims this content: {url}';
export const sendACounterNotice = 'Send a counter-notice';

// counter-fields
export const sharedWithClaimantHint =
  'All of this will be shared with {claimantName}, including your name and address, as required by law.';
export const whyWasThisAMistake = 'Why was this a mistake?';
export const yourFullName = 'Your full name';
export const postalAddress = 'Postal address';
export const telephone = 'Telephone';
export const countryCodeHint = 'Include the country code.';
export const mistakeOath =
  'I swear, under penalty of perjury, that I have a good faith belief that the material was removed by mistake or misidentification.';
export const jurisdictionConsent =
  'I consent to the jurisdiction of the federal court for my district (or, outside the US, where Stagedoor is located) and will accept service of process from the claimant.';
export const signature = 'Signature';
export const signatureHint = 'Typing your name counts as your signature.';
export const sending = 'Sending…';
export const submitCounterNotice = 'Submit counter-notice';

// counter-form
export const counterNotice = 'Counter-notice';

// notice-fields
export const yourName = 'Your name';
export const nameHint = 'We share this name with the person who posted it, as required by law.';
export const email = 'Email';
export const emailHint = 'We’ll reply here. Use it with your reference number to check the status.';
export const onlyVisibleToUs = 'Only visible to us.';
export const telephoneHint = 'Only visible to us. Include the country code.';
export const yourCopyrightedWork = 'Your copyrighted work';
export const workHint = 'Describe the work, its owner and where it can be found.';
export const whereItAppearsOnStagedoor = 'Where it appears on Stagedoor';
export const linksHint = 'Links to posts or profiles, one per line, up to {maximum}.';
export const goodFaithStatement =
  'I have a good faith belief that this use is not authorized by the copyright owner, its agent or the law.';
export const accuracyStatement =
  'This notice is accurate and, under penalty of perjury, I am the owner or authorized to act for the owner.';
export const submitNotice = 'Submit notice';
