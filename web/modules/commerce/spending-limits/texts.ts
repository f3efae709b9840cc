// breaks
export const startBreak = 'Start · {duration}';
export const howLong = 'How long';
export const pauseSpending = 'Pause spending';
export const pauseSpendingConsequence =
  'You can’t spend or add funds until it ends, and subscriptions whose next card payment falls into it are canceled. No one can end it early, not even us.';
export const starting = 'Starting…';
export const spendingPausedUntil = 'Spending paused until {endTime}.';
export const spendingPausedNotice = 'Spending is paused until {endTime}. You can still chat and view your purchases.';
export const extendPauseConsequence = 'Starts right away and can’t be shortened. You keep your balance and purchases.';
export const extendSpendingPause = 'Extend spending pause';
export const takeABreakFromStagedoor = 'Take a break from Stagedoor';
export const breakConsequence =
  'You’ll be logged out everywhere and won’t hear from us. When it ends, log in and pick up where you left off. No one can end it early, not even us.';

// spending-limits
export const daily = 'Daily';
export const weekly = 'Weekly';
export const monthly = 'Monthly';
export const thisWeek = 'this week';
export const thisMonth = 'this month';
export const noLimit = 'no limit';
export const spentOfLimit = '{spent} of {limit} spent {period}';
export const spentInPeriod = '{spent} spent {period}';
export const withPlatformMaximum = '{spending}; platform maximum {max}';
export const invalidAmountError = 'Please enter valid amount';
export const periodLimit = '{period} limit';
export const increaseDelayNotice = 'Increases take effect in 24 hours.';
export const limitChangeHint = 'Decreases apply now, increases in 24 hours.';
export const setLimit = 'Set limit';
export const setLimitTo = 'Set limit · {amount}';
export const removeLimitIn24Hours = 'Remove limit in 24 hours';
export const changePeriodLimit = '{action} {period} limit';
export const setAction = 'Set';
export const changeAction = 'Change';
export const limitFromTime = '{limit} from {startTime}';
export const cancelPeriodLimitIncrease = 'Cancel increase, {period} limit';
export const cancelIncrease = 'Cancel increase';
export const increaseNotice = 'From {startTime}: {limit}.';
export const limitSaved = 'Your limit is now {limit}.';
export const spendingLimitsHint =
  'Covers tips, unlocks, calls and chat. Next daily reset: {time}. Anything above your limit is declined before you’re charged.';
export const spendingLimits = 'Spending limits';
export const spendingLimit = 'Spending limit';
