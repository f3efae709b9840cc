// appeal-reason-form
export const messageRequired = 'Please enter message';
export const appealReasonLabel = 'Why should we review this?';
export const appealReasonHint = 'A different person will review it.';
export const sending = 'Sending…';

// decisions
export const submitAppeal = 'Submit appeal';
export const reversedOn = 'Reversed on {date}.';
export const appealUpheld = 'A different reviewer upheld the decision. Check your email for details.';
export const appealInReview = 'Your appeal {reference} is being reviewed by a different person.';
export const appealDeadline = 'You can appeal until {date}.';
export const appeal = 'Appeal';
export const decisionsOnYourAccount = 'Decisions on your account';

// report-button
export const reportUser = 'Report {name}';

// report-dialog
export const missingDataError = 'Required data not found.';
export const reportTitle = 'Submit report with details';
export const reportLead = 'Our team reviews every report. The person you report won’t know who reported them.';
export const message = 'Message';
export const submit = 'Submit';

// reports
export const send = 'Send';
export const reportInReview = 'In review.';
export const reportActedOn = 'We reviewed it and took action.';
export const reportDismissed = 'We reviewed it and it doesn’t break our rules.';
export const secondReviewUpheld = '{dismissal} A different reviewer agreed. Check your email for details.';
export const secondReviewOverturned = 'A different reviewer changed the decision.';
export const secondReviewRequested = '{dismissal} Second review requested: {reference}.';
export const secondReviewDeadline = '{dismissal} Until {date} you can request a second review.';
export const requestSecondReview = 'Request second review';
export const yourReports = 'Your reports';
