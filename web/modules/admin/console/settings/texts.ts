// creator-fees
export const enterTheOfferFee = 'Enter the offer fee';
export const enterTheLastDay = 'Enter the last day';
export const creatorFeeSaved = 'Saved. We keep {effectiveFee}% of what @{username} sells from now on.';
export const userFee = 'Fee for @{username}';
export const customStandardFee = 'Custom standard fee';
export const customStandardFeeHint = 'Percent. Leave empty for the default.';
export const customOfferFee = 'Custom offer fee';
export const customOfferFeeHint = 'Percent. Replaces the new creator offer. Leave empty for none.';
export const firstDay = 'First day';
export const firstDayHint = 'UTC. Leave empty to start now.';
export const lastDay = 'Last day';
export const lastDayHint = 'UTC, inclusive';
export const saving = 'Saving…';
export const saveFee = 'Save fee';
export const discard = 'Discard';
export const noCustomOffer = 'No custom offer';
export const offerUntil = '{fee}%{start} until {lastDay}';
export const offerStart = ' from {firstDay}';
export const creatorFees = 'Creator fees';
export const custom = 'Custom';
export const defaultFee = 'Default';
export const standardFee = 'Standard fee';
export const currentFee = 'Current fee';

// fees
export const standardFeeHint = 'Percent of a sale, 0 to 50';
export const feeForNewCreators = 'Fee for new creators';
export const newCreatorFeeHint = 'Percent of a sale, at most the standard fee';
export const daysForNewCreators = 'Days for newcomers';
export const newCreatorDaysHint = 'From sign-up, 0 to 730';
export const clearingPeriod = 'Clearing period';
export const clearingPeriodHint = 'Days until earnings can be paid out, 0 to 90';
export const dailySpendingLimit = 'Daily spending limit';
export const dailySpendingLimitHint = 'Maximum per fan, unless they set a lower one';
export const fanReferralCommission = 'Fan referral commission';
export const fanCommissionHint = 'Percent of what they spend';
export const creatorReferralCommission = 'Creator referral commission';
export const creatorCommissionHint = 'Percent of what they sell';
export const commissionPeriodMonths = 'Commission period (months)';
export const commissionPeriodHint = 'For new referrals, 1 to 120';
export const minimumTransferToBalance = 'Minimum transfer to balance';
export const fromReferralEarnings = 'From referral earnings';
export const transferFee = 'Transfer fee';
export const transferFeeHint = 'Percent of the transfer, 0 to 50';
export const feesSaved = 'Saved. The current fees apply to new sales.';
export const theStandardFee = 'the standard fee';
export const customFeeWithOffer = '{fee}, with an offer of {offer}% until {last}';
export const customFeeWithFutureOffer = '{fee}, with an offer of {offer}% from {first} until {last}';
export const creatorFeeChange = '@{creator}: {before} to {after}';
export const feeChangeHistory = 'Fee change history';

// numbers-form
export const settingChange = '{label}: {before} to {after}';
export const requestedNeedsSecondApproval = 'requested, needs second approval';
export const rejectedOrWithdrawn = 'rejected or withdrawn';
export const secondApprovalConfirmed = 'Second approval given';
export const singleApproval = 'Single approval: no other finance staff';
export const reason = 'Reason';
export const recordedInTheAuditLog = 'Recorded in the audit log.';
export const save = 'Save';

// payout-settings-form
export const minimumPayout = 'Minimum payout';
export const minimumPayoutHint = 'To banks and PayPal';
export const minimumCryptoPayout = 'Minimum crypto payout';
export const cryptoMinimumHint = 'Crypto transfers cost more';
export const minimumReferralPayout = 'Minimum referral payout';
export const referralMinimumHint = 'The higher minimum applies';
export const referralPayoutFee = 'Referral payout fee';
export const referralPayoutFeeHint = 'Percent of the withdrawal, 0 to 50';
export const coolingPeriod = 'Cooling period';
export const coolingPeriodHint = 'Hours before a new method can be paid, 0 to 720';
export const secondApprovalAbove = 'Second approval above';
export const secondApprovalHint =
  'Payouts to one user approved by one staff member within 24 hours, and a staff member’s refunds and write-offs';
export const payoutSettingsSaved = 'Saved. The current settings apply to new requests.';

// subscription-settings-form
export const longestTrial = 'Longest trial';
export const longestTrialHint = 'Days, 1 to {max}. Existing tiers keep theirs.';
export const firstRetry = 'Second attempt';
export const secondRetry = 'Third attempt';
export const thirdRetry = 'Fourth attempt';
export const retryHint = 'Hours after the paid period ends';
export const gracePeriod = 'Last attempt and end of access';
export const graceHint = 'Hours after the paid period ends, at most {max}';
export const refundPeriod = 'Refund if nothing was opened';
export const refundPeriodHint = 'Hours after a charge, 0 to {max}. 0: never.';
export const subscriptionSettingsSaved = 'Saved. The current settings apply to new trials, attempts and refunds.';
export const subscriptionSettingsHistory = 'Subscription settings history';

// pending-settings
export const secondApprovalRule = 'Higher limits and shorter waits need a second approval.';
export const currentValuesShown = 'Saved. The form shows the current values.';
export const pendingChange = '{label}: {requester} {newSetting} instead of {currentSetting}.';
export const youRequested = 'you requested';
export const operatorRequested = '@{operator} requested';
export const ownPendingChangeNote = 'Another staff member needs to confirm this. Nothing changes until then.';
export const pendingChangeNote = 'Takes effect once a second staff member confirms it.';
export const confirmSetting = 'Confirm {setting}';

// prices
export const tip = 'Tip';
export const paidPost = 'Paid post';
export const paidMessage = 'Paid message';
export const callPerMinute = 'Call per minute';
export const deposit = 'Deposit';
export const subscriptionPerMonth = 'Subscription';
export const subscriptionRangeHint = 'A week or month, {min} to {max}. A year can cost 12 times as much.';
export const depositRangeHint = 'Whole dollars of balance, {min} to {max}';
export const priceRangeHint = '{min} to {max}';
export const minimumLabel = '{name}, minimum';
export const maximumLabel = '{name}, maximum';
export const priceLimitsSaved = 'Saved. The limits apply to new prices only.';
export const priceLimitHistory = 'Price limit history';
