// four-eyes
export const utcTime = '{time} UTC';
export const newOperatorMustWait = 'This needs two people. You can approve it from {startTime}.';
export const anotherOperatorMustConfirm = 'You requested this. Another staff member must confirm it.';
export const requesterLostRole =
  'The person who requested this no longer has the role for it. Reject it, and request it again if it’s right.';

// guarded-settings
export const settingsChangedBySomeone = 'Someone else changed these settings. Showing the latest.';

// money-approvals
export const partAwaitingSecondApproval = 'Part of this is already awaiting second approval.';

// requests
export const alreadyDecided = 'This was decided already.';
