export const subscriptions = 'Subscriptions';
export const periodNotOffered = 'This tier isn’t offered for this period.';
export const termsChanged = 'The terms have changed. Check them and try again. You weren’t charged.';
export const alreadySubscribed = 'You already subscribe to this creator. Cancel that subscription first.';
export const tierNotOffered = 'This tier is full.';
export const subscriptionEnded = 'This subscription has ended.';
export const nothingToPay = 'There is nothing to pay.';
export const notRefundable = 'This charge can’t be refunded any more.';
export const refundReason = 'Refunded by the fan within 24 hours';
export const creatorLeftReason = 'The creator’s account was deleted';
export const exportDescription = 'Your subscriptions to creators, with each paid period.';
export const creatorUnavailableReason = 'The creator can’t offer subscriptions any more';
export const blockedReason = 'The creator ended the subscription';
export const subscribersLeaveHint =
  'Your subscriptions end at once, and your subscribers get the rest of their period back. They don’t return if you keep your account.';
export const subscriptionsEndHint = 'Your subscriptions stop renewing. What you paid for isn’t refunded.';
