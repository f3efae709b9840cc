// figures
export const subscribers = 'Subscribers';
export const message = 'Message';

// stats
export const recurringNow = 'Monthly recurring';
export const sinceMonth = '{change} since {month}';
export const noChange = 'As in {month}';
export const joinedAndLeft = '{joined} new, {left} left in 30 days';
export const churn = 'Churn';
export const churnDetail = '{left} of {of} in 30 days';
export const churnBefore = '{left} of {of}, was {before}';
export const noChurnYet = 'Known 30 days after your first subscriber';
export const unknown = '–';
export const expected = 'Expected, next 30 days';
export const expectedNote = 'Yours, after the platform fee';
export const figures = 'Subscription figures';

// recurring-chart
export const recurringByMonth = 'Recurring by month';
export const twelveMonths = '12 months';
export const chartCaption = 'Monthly recurring revenue of the last 12 months';
export const month = 'Month';
export const recurring = 'Recurring';

// tiers
export const byTier = 'By tier';
export const editTiers = 'Edit tiers';
export const tierCaption = 'Recurring revenue by tier';
export const tier = 'Tier';
export const total = 'Total';
export const perMonth = 'Per month';
export const savedByBundles = 'Saved by bundles';
export const savedByOffers = 'Saved by offers';
export const deleted = 'deleted';
export const recurringHint = 'Free, canceled and trial subscriptions count as subscribers, but not as recurring.';

// cohorts
export const stillSubscribed = 'Still subscribed';
export const byMonthOfJoining = 'By month of joining';
export const cohortCaption = 'Share of subscribers who stay, by month of joining';
export const joined = 'Joined';
export const fans = 'Fans';
export const firstMonth = 'Month 1';
export const percent = '{share}%';
export const firstRenewals = 'Known from {month}';
export const cohortHint = 'At the end of each month after joining. The last figure of each row is today’s.';
export const noCohorts = 'Appears with your first subscribers.';

// expected
export const renewals = '{count} due';
export const renewal = 'renewal';
export const trialsStay = '{trials}, {percent}% stay';
export const trialsAssumed = '{trials}, about half stay';
export const trial = 'trial';
export const losses = 'Failing or canceled';
export const fee = 'Platform fee, {percent}%';
export const yours = 'Yours';

// subscriber-list
export const filterLabel = 'Filter subscribers';
export const sortBy = 'Sort by';
export const byRenewal = 'Renewal date';
export const byPaid = 'What they paid';
export const bySince = 'Newest first';
export const all = 'All';
export const newSubscribers = 'New';
export const trials = 'Trial';
export const pastDue = 'Payment failed';
export const canceled = 'Canceled, still open';
export const ended = 'Ended';
export const worth = 'Worth {amount} a month';
export const worthWithUncertain = 'Worth {amount} a month, including trials and canceled';
export const wereWorth = 'Paid {amount} a month';
export const worthNothing = 'No recurring revenue';
export const downloadCsv = 'CSV';
export const downloadLabel = 'Download these subscribers as CSV';
export const generating = 'Generating…';
export const downloaded = 'List downloaded';
export const subscriber = 'Subscriber';
export const subscriberWithin = 'subscriber';
export const since = 'Since';
export const status = 'Status';
export const access = 'Access';
export const totalPaid = 'Total paid';
export const paidInTotal = 'paid in total';

// labels
export const weekly = 'weekly';
export const monthly = 'monthly';
export const yearly = 'yearly';
export const months = '{count} months';
export const free = 'free';
export const active = 'Active';
export const trialState = 'Trial';
export const newPriceProposed = 'New price {price}, not accepted yet';
export const canceledOn = 'Canceled {day}';
export const gift = 'Gift, doesn’t renew';
export const reasonGift = 'gift is over';
export const endedReason = 'Ended: {reason}';
export const renews = 'renews {day}';
export const firstCharge = 'first charge {day}';
export const paidUntil = 'until {day}';
export const wasDue = 'was due {day}';
export const endedOn = 'ended {day}';
export const openEnd = 'no end';
export const reasonCanceled = 'canceled';
export const reasonUnpaid = 'payment failed';
export const reasonPriceChange = 'new price not accepted';
export const reasonTierDeleted = 'tier deleted';
export const reasonRefunded = 'refunded';
export const reasonOther = 'other reason';

// paymentSource of a subscriber
export const balanceSource = 'Balance';
export const cardSource = 'Card';
