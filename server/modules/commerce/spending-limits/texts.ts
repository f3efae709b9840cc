// routes
export const limitsExportTitle = 'Limits you set yourself';
export const limitsExportHint = 'Your spending limits, and until when your spending is paused.';

// service
export const breakStarted = 'Your break has started. You can log in again after {endTime}.';
