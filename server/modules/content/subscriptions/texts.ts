export const subscriptions = 'Subscriptions';
export const periodNotOffered = 'This tier isn’t offered for this period.';
export const giftNotPossible =
  'This gift isn’t possible. Check the username, or choose another creator. You weren’t charged.';
export const giftToYourself = 'Enter the username of another fan.';
export const freeTierGift = 'A free tier can’t be given as a gift.';
export const givenSubscriptions = 'Gift subscriptions';
export const givenExportDescription = 'Subscriptions that you gave to other fans.';
export const giftFor = '{tierName}, a gift for @{username}';
export const termsChanged = 'The terms have changed. Check them and try again. You weren’t charged.';
export const offerRefused = 'You can’t use this code any more. You weren’t charged.';
export const alreadySubscribed = 'You already subscribe to this tier. You weren’t charged again.';
export const tierNotOffered = 'This tier is full or no longer offered. You weren’t charged.';
export const creatorUnavailable = 'You can’t subscribe to this creator at the moment. You weren’t charged.';
export const alreadyPaid = 'This period is already paid.';
export const cannotRenew = 'This subscription can’t be renewed any more. You weren’t charged.';
export const subscriptionEnded = 'This subscription has ended.';
export const cardForNewSubscriptions =
  'You already subscribe to this creator. Cards can only pay for new subscriptions. You weren’t charged.';
export const trialNeedsBalance = 'A free trial can only renew from your balance. You weren’t charged.';
export const nothingToPay = 'There is nothing to pay.';
export const notRefundable = 'This charge can’t be refunded any more.';
export const refundReason = 'Refunded by the fan, nothing was opened';
export const changedReason = 'Changed to another tier';
export const creatorLeftReason = 'The creator’s account was deleted';
export const periodAlreadyRefunded = 'This period is already refunded.';
export const accountClosed = 'The fan’s account is closed, so nothing can be refunded to it.';
export const refundHasGrown = 'The amount is now higher than requested. Reject this request and try again.';
export const approvalSubject = '@{fan} to @{creator}';
export const exportDescription = 'Your subscriptions to creators, with each paid period.';
export const creatorUnavailableReason = 'The creator can’t offer subscriptions any more';
export const blockedReason = 'The creator ended the subscription';
export const subscribersLeaveHint =
  'All subscriptions to you end immediately, and your subscribers are refunded for the rest of their period. They don’t come back if you keep your account.';
export const subscriptionsEndHint = 'Your subscriptions stop renewing. What you paid for isn’t refunded.';
