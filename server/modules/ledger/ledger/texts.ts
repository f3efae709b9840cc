// debts
export const nothingIsOwed = 'No outstanding balance.';

// deposits
export const chargebackAlreadyWon = 'This chargeback was won already.';
export const chargebackNotReversed = 'This chargeback isn’t marked as reversed.';
export const paymentReversedAgain = 'The payment has since been reversed again.';

// errors
export const spendingPausedByDebt =
  'Spending is paused: you owe {owedAmount} because a payment was reversed. See your wallet.';
export const spendingPaused = 'Spending is paused on this account. See your wallet for details.';
export const limitResetsDaily = 'It resets at midnight UTC.';
export const limitResetsWeekly = 'It resets on Monday at midnight UTC.';
export const limitResetsMonthly = 'It resets on the first of the month, at midnight UTC.';
export const limitResetsAt = 'Next reset: {time}.';
export const spendingLimitExceeded = 'This is above your {limitName} of {limitAmount}. {resetHint}';
export const spendingPausedUntil = 'Spending is paused until {endDate}. It can’t be ended early.';
export const operationIdAlreadyUsed = 'This operation ID was used for another request.';

// holds
export const holdAlreadySettled = 'This hold was already settled.';
export const captureExceedsHold = 'More than is held.';
