// routes
export const tipGoals = 'Tip goals';
export const tipGoalsExportDescription = 'What you raised tips for.';

// service
export const activeGoalExists = 'You already have an active goal. End it first.';
export const goalHasEnded = 'This goal has ended. You weren’t charged.';
