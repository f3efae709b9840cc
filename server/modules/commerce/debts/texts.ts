// service
export const noOutstandingBalance = 'No outstanding balance.';
export const debtAlreadySettled = 'The debt is already settled.';
export const originalDebtSettled =
  'The original debt is settled and there is a new one. Reject this and request it again.';
export const debtHasGrown = 'The debt has grown. Reject this and request it again.';
export const spendingAlreadyInState = 'Spending is already {state}.';
