// account-deletion
export const moveToBalanceInstruction = 'Move it to your balance';
export const withdrawInstruction = 'Withdraw it';
export const claimReferralEarningsFirst = 'Your referrals earned you {amount}. {instruction} first.';
export const referralEarningsPending = '{amount} of your referral earnings haven’t cleared yet.';
export const pendingEarningsForfeiture =
  '{amount} of your referral earnings haven’t cleared yet. We’ll email you when they clear. You then have {days} days to withdraw them before they’re forfeited.';
export const earningsBelowMinimumForfeiture =
  'Your referrals earned you {amount}, below the minimum withdrawal, so it will be forfeited.';

// claims
export const withdrawalMaximum = 'You can withdraw up to {amount}.';
export const commissionMovedMailSubject = 'Commission moved to your balance';
export const commissionMovedMail =
  'Hello {username},\n\nOn {time}, {amount} of your referral earnings moved to your balance: {netAmount}, after a fee of {fee}.\n\nWasn’t you? Change your password now. That logs out all other devices. See your withdrawals:\n\n{publicUrl}{page}\n';
export const movedToYourBalance = '{amount} moved to your balance.';
export const moveMinimum = 'Move at least {amount}.';
export const debtPaidFromCommission = ' {amount} was used to pay your outstanding balance.';
export const withdrawalRequested = 'Requested. We’ll pay out {netAmount} once it’s approved.';

// data-export
export const referralCode = 'Referral code';
export const referralCodeExportDescription =
  'Your referral code, and until when the person who invited you earns commission.';
export const referralsExportDescription = 'People you invited, and until when you earn commission from them.';

// lists
export const endDateBeforeStart = 'End date is before start date.';

// routes
export const withdrawalRequestCanceled = 'Request canceled. The amount is available again.';
