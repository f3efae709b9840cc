// visitor-first
export const onlineNow = 'Online now';
export const onlineNowCount = '{onlineCount} online';
export const alsoAvailableForCalls = 'Also available for calls';
export const availableForCalls = 'Available for calls';
export const meetAfterShow = 'Meet them after the show.';
export const visitorLead = 'Posts, chat and video calls with the creators you love.';
export const priceFirstPromise = 'You always see the price first.';
export const seeTheLatestPosts = 'See the latest posts';
export const browseCreators = 'Browse creators';

// visitor-front
export const creatorQuestion = 'Are you a creator? {shareLine}';
export const creatorShare = 'Keep {share} of every $10.00.';
export const noMonthlyFee = '{offerTerms}No monthly fee.';
export const firstDaysOffer = 'For your first {days} days, then {generalFee}. ';
export const becomeACreator = 'Become a creator';

// visitor-more
export const latestPosts = 'Latest posts';
export const allPosts = 'All posts';
export const callsBilledBySecond = 'Calls are billed by the second';
export const callBillingExplanation =
  'Calls under {freeSeconds} seconds are free. You always see the timer and what you’ve spent.';
export const noHiddenFees = 'No hidden fees';
export const depositFeeExample = '{payment} adds {deposit} to your balance. You see the {fee} fee before you pay.';
export const noSubscriptions = 'No subscriptions';
export const noSubscriptionsExplanation = 'Pay once for what you unlock and keep it. Nothing renews.';
export const priceFirstTitle = 'You always see the price first';
export const seePricing = 'See pricing';
export const howCallsAreBilled = 'How calls are billed';
export const exampleCallIntro = 'Say you call {name}:';
export const youPay = 'You pay';
export const callHoldNotice =
  'We hold {holdMinutes} minutes’ worth while you talk and release whatever you don’t use when you hang up.';
export const creatorCountOrMore = '{minCount}+ creators';
export const browseByCategory = 'Browse by category';
