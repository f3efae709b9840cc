// reconciliation-findings
export const lastCheckStillFailed = 'The last check still failed. You can explain this once a new check passes.';
export const differenceNoLongerExists = 'This difference no longer exists.';
export const alreadyExplained = 'This was already explained.';
