// own-tip-goal
export const noEndDate = 'No end date';
export const inDays = 'In {days} days';
export const goalAddedToast = 'Goal added to your profile.';
export const goalTitle = 'Goal title';
export const targetAmount = 'Target amount';
export const targetLimits = 'From {min} to {max}';
export const endDate = 'Ends';
export const starting = 'Starting…';
export const startGoal = 'Start goal';
export const goalEndedToast = 'Goal ended.';
export const endGoal = 'End goal';
export const endGoalQuestion = 'End this goal?';
export const endGoalConsequence = 'It will be removed from your profile. You keep the tips.';
export const tipGoal = 'Tip goal';
export const tipGoalHint = 'Show fans what you’re raising tips for. Your payouts don’t change.';

// tip-goal-card
export const untilDate = ' · until {date}';
export const endedOnDate = ' · ended {date}';
export const ofTarget = 'of {target}';
export const reached = 'Reached';
export const raisedOfTarget = '{raised} of {target}';
export const noTipsYet = 'No tips yet';
