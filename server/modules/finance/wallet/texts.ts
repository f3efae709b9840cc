// account-deletion
export const deletionBlockedByDebt = 'You owe {debt} for a reversed payment. See your wallet.';
export const deletionBlockedByHold = '{hold} is on hold for a call. It will be released when the call ends.';
export const deletionBlockedByWallet = 'You have {balance} in your wallet. Spend it or ask us for a refund.';
export const deletionBlockedByPending =
  '{earnings} of your earnings is still pending. Wait for it to clear, then request a payout.';
export const deletionBlockedByEarnings = 'You have {earnings} in available earnings. Request a payout first.';
export const earningsForfeited =
  'You have earned {earnings}. That’s below the minimum payout, so it will be forfeited.';

// receipts
export const utcTime = '{time} UTC';
export const saleFromFan = '{title} from {fanName}';
export const unlockedBy = 'unlocked by {fanName}';
export const subscribedBy = 'paid by {fanName}';
export const tierSubscription = '{tierName} subscription';
export const availableSince = 'Available since';

// statement
export const onPost = 'on “{title}”';
export const creditsCount = '{count} credits';
export const videoCall = 'Video call';
export const voiceCall = 'Voice call';
export const callInProgress = 'In progress';
export const callCost = 'cost {price}';
export const callNoteAndCost = '{note}, cost {price}';
export const debtPaidFromBalance = '{debt} of your balance';
export const invalidOffset = 'Invalid offset';
