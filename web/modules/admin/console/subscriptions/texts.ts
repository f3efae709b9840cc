// overview
export const overview = 'Subscriptions at a glance';
export const dueSoon = 'Due in 24 hours';
export const due = 'Due in {days} days';
export const failing = 'Failing now';
export const unpaid = 'Ended unpaid';
export const refunded = 'Refunded';
export const chargedBack = 'Charged back';
export const lastDays = '{count}, last {days} days';
export const pausedSince = 'Renewals are stopped since {time}. {count} worth {amount} fell due meanwhile.';
export const openKillSwitches = 'Kill switches';

// rows
export const subscriptions = 'Subscriptions';
export const fanToCreator = '{fan} to {creator}';
export const trialState = 'Trial';
export const activeState = 'Active';
export const pastDueState = 'Payment failed';
export const canceledState = 'Canceled';
export const chargedOn = 'Next charge {time}';
export const retriedOn = 'Next attempt {time}';
export const endsOn = 'Ends {time}';
export const endedOn = 'Ended {time}';
export const since = 'Since {time}';
export const week = '{tierName}, weekly';
export const month = '{tierName}, monthly';
export const months = '{tierName}, every {count} months';
export const year = '{tierName}, yearly';
export const viewSale = 'View latest sale';

// labels
export const endedCanceled = 'Canceled by the fan';
export const endedChanged = 'Changed to another tier';
export const endedUnpaid = 'Renewal unpaid';
export const endedByPrice = 'New price not accepted';
export const endedWithTier = 'Tier deleted';
export const endedUnavailable = 'Creator unavailable';
export const endedByBlock = 'Block';
export const endedByRefund = 'Refunded';
export const endedByChargeback = 'Charged back';
export const endedWithAccount = 'Account deleted';
export const endedGift = 'Gift is over';
export const endedByStaff = 'Ended by staff';

// detail
export const fan = 'Fan';
export const creator = 'Creator';
export const tier = 'Tier';
export const status = 'Status';
export const started = 'Started';
export const paidUntil = 'Paid until';
export const nextCharge = 'Next charge';
export const nextAttempt = 'Next attempt';
export const failedAttempts = 'Failed attempts';
export const newPrice = 'New price';
export const newPriceFrom = '{price} from {time}, not accepted yet';
export const timeZone = 'Time zone';
export const money = 'Money';
export const price = 'Price';
export const offer = 'Offer';
export const offerOver = '{code}, {percent}% off, used up';
export const offerOneLeft = '{code}, {percent}% off the next payment';
export const offerLeft = '{code}, {percent}% off the next {count} payments';
export const charged = 'Charged';
export const refundedSum = 'Refunded';
export const unused = 'Unused part of the period';
export const periods = 'Periods';
export const noPeriods = 'Nothing was charged yet.';
export const period = 'Period {number}';
export const periodRange = '{from} to {until}';
export const periodRefunded = '{amount} refunded';
export const viewTransaction = 'View transaction';
export const events = 'Events, UTC';
export const eventStarted = 'Subscribed';
export const eventTrialStarted = 'Trial started';
export const eventCharged = 'Period {number} charged';
export const eventOpened = 'First item opened in period {number}';
export const eventRefunded = 'Period {number} refunded';
export const eventFailed = 'Charge failed';
export const eventNewPrice = 'New price applies';
export const eventCanceled = 'Canceled';
export const eventEnded = 'Ended';
export const viewRecordedHint = 'Your view is recorded in the audit log.';

// actions
export const decide = 'Action';
export const reason = 'Reason';
export const reasonHint = 'Recorded in the audit log. The fan and the creator don’t see it.';
export const end = 'End and refund the rest';
export const endNow = 'End subscription';
export const endAndRefund = 'End and refund {amount}';
export const endNote = 'Access ends at once. The unused part of the period goes back to the fan’s balance.';
export const endNoteFree = 'Access ends at once. There is nothing to refund.';
export const refundPeriod = 'Refund period {number}';
export const refundAmount = 'Refund {amount}';
export const refundCurrentNote = 'The whole price goes back to the fan’s balance, and the subscription ends at once.';
export const refundEarlierNote = 'The whole price goes back to the fan’s balance. The subscription continues.';
export const ended = 'Subscription ended.';
export const periodRefundedNotice = 'Period refunded.';
export const awaitingApproval = 'Requested. A second staff member needs to confirm it.';

// paymentSource
export const paymentSource = 'Paid by';
export const balanceSource = 'Balance';
export const cardSource = 'Card';
