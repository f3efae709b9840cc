// module, fan's page
export const subscriptionsTitle = 'Subscriptions';

// billing
export const weekly = 'Weekly';
export const monthly = 'Monthly';
export const yearly = 'Yearly';
export const monthsName = '{count} months';
export const perWeek = '/week';
export const perMonthUnit = '/month';
export const perYearUnit = '/year';
export const perMonths = '/{count} months';
export const everyWeek = 'every week';
export const everyMonth = 'every month';
export const everyYear = 'every year';
export const everyMonths = 'every {count} months';

export const firstPaymentOff = '{percent}% off the first payment';
export const firstPaymentsOff = '{percent}% off the first {count} payments';

// subscribe-section
export const subscribe = 'Subscribe';
export const billingPeriod = 'Billing period';
export const tiers = 'Tiers';
export const percentSaved = '−{percent}%';
export const savedPerMonth = '{perMonth}/month, you save {saved}';
export const cheaperPeriod = 'or {price}{unit}, save {saved}';
export const free = 'Free';
export const daysFree = '{count} days free';
export const oneDayFree = '1 day free';
export const slotsLeft = '{count} slots left';
export const oneSlotLeft = '1 slot left';
export const full = 'Full';
export const includedContent = '{posts} with {files}';
export const everythingIn = 'Everything in {tierName}';
export const ownTiersNote = 'This is how fans see your tiers.';
export const onlyFansNote = 'Fans subscribe from their balance or by card.';

// offer-note
export const offerTitle = '{code}: {discount}';
export const offerUntil = 'Offer ends {day}.';
export const offerForNew = 'For fans who’ve never subscribed to {creatorName}.';
export const offerForReturning = 'For fans who subscribed to {creatorName} before and don’t now.';
export const oldPrice = 'instead of {price}';
export const thenFullPrice = '{discount}, then {price}{unit}';
export const laterPrice = 'Then {price}{unit}';

// subscribe-action
export const subscribeToTier = 'Subscribe to {tierName}';
export const changeToTier = 'Change to {tierName}';
export const tryDaysFree = 'Try {count} days free';
export const tryOneDayFree = 'Try 1 day free';
export const subscribeForFree = 'Subscribe for free';
export const priceToday = '{price} today';
export const trialNote = 'Then {price}{unit} from {day}. Cancel any time.';
export const monthlyRenewalNote = 'Renews at {price} on {day}. Cancel any time.';
export const renewalNote = 'Renews at {price} on {day}, {interval}. Cancel any time.';
export const offerTrialNote = 'Then {price}{unit} from {day}, and {fullPrice} from {fullDay}. Cancel any time.';
export const offerNote = 'Renews at {price} on {day}, and at {fullPrice} from {fullDay}. Cancel any time.';
export const freeNote = 'You’re never charged for this tier.';
export const tierFull = 'This tier is full.';
export const tierFullHint = 'No slots are left. Choose another tier, or check again later.';
export const haveAccount = 'Already have an account? {logIn}';
export const logIn = 'Log in';

// gift-menu, gift-dialog
export const moreOptions = 'More options';
export const giveAsGift = 'Give as a gift';
export const giftTitle = 'Give a subscription';
export const giftRecipient = 'Username of the fan';
export const giftWhat = 'Tier and period';
export const giftPays = 'Paid once, until {day}';
export const giftNoteText =
  'It doesn’t renew and no one else is charged. If it’s refunded, the money comes back to you.';
export const givePriced = 'Give';
export const addFundsAndGive = 'Add funds and give';
export const enterUsername = 'Enter a username';
export const giftSent = '{username} now has the subscription.';
export const receipt = 'Receipt';

// subscribed-note
export const youSubscribe = 'You’re subscribed to {tierName}';
export const youSubscribeAnyTier = 'You’re subscribed';
export const renewsOn = 'Renews on {day}.';
export const openUntil = 'Canceled. Access until {day}.';
export const giftUntil = 'A gift. Access until {day}.';
export const freeSubscription = 'Free, no charges.';
export const manage = 'Manage subscription';
export const changeTier = 'Change tier';

// tier-table
export const whatYouCanSee = 'What you can see now';
export const tableCaption = 'Posts and media files by tier';
export const tier = 'Tier';
export const posts = 'Posts';
export const files = 'Media';
export const notIncluded = 'Not included';
export const withoutSubscription = 'Free';
export const yours = 'Yours';
export const soldSeparately = 'Posts that aren’t included are sold one by one.';

// subscribe-dialog
export const untilDay = '{tierName}, until {day}';
export const renewsOnDay = 'Renews on {day}';
export const firstChargeOn = '{day}, first charge';
export const thenEvery = 'Then {interval}';
export const fullPriceFrom = 'From {day}, {interval}';
export const youPayToday = 'You pay today';
export const trialUntil = '{trial} until {day}';
export const startTrial = 'Start free trial';
export const addFundsAndSubscribe = 'Add funds and subscribe';
export const addFundsAndChange = 'Add funds and change tier';
export const balance = 'Balance {amount}';
export const balanceAfter = '{amount} after';
export const balanceAfterDay = '{amount} after {day}';
export const missing = '{amount} missing';
export const neededOn = '{amount} needed on {day}';
export const overSpendingLimit = 'Over your spending limit';
export const cancelNote = 'Cancel any time and keep what you paid for.';
export const reminderNote = 'We’ll remind you 3 days before each charge.';
export const refundNote = 'You can get a refund within {hours} hours if you open nothing.';
export const tierChangeNote =
  'Your current tier ends today, and the rest of its period is refunded to your balance. If you opened something, that’s at most today’s charge, which then can’t be refunded.';
export const payWith = 'Pay with';
export const balanceSource = 'Balance';
export const cardSource = 'Card';
export const balanceAvailable = '{amount} available';
export const cardFeeIncluded = 'Includes a {fee} fee';
export const noCardSubscriptions = 'Subscriptions can’t be paid by card at the moment.';
export const offerNotByCard = 'Offers can only be paid from your balance.';
export const tierChangeNotByCard = 'A tier change can only be paid from your balance.';
export const trialNotByCard = 'A free trial can only renew from your balance.';
export const cardBelowMinimum = 'Card payments must be at least {min}.';
export const cardAboveMaximum = 'Card payments can be at most {max}.';
export const cardFee = 'Card fee';
export const continueToCard = 'Continue to payment';
export const cardRenewalNote =
  'Your card is charged every {days} days, next on {day}, until you cancel. You enter your card details on our payment partner’s secure page.';
export const cardRefundNote =
  'You can get the price refunded to your balance within {hours} hours if you open nothing.';
export const subscribedToast = 'You’re subscribed to {creatorName}: {tierName}.';

// code-form
export const haveCode = 'Have a code?';
export const code = 'Code';
export const apply = 'Apply';
export const applying = 'Checking…';
export const codeApplied = '{code}: {discount}.';
export const removeCode = 'Remove code';
export const remove = 'Remove';
export const codeForOtherTier = 'This code is for {tierNames}.';

// subscription-list
export const needsAnswer = 'Action needed';
export const renewing = 'Renewing';
export const gifts = 'Gifts';
export const canceledGroup = 'Canceled';
export const tierPeriodAndSource = '{tierName} · {period} · {paymentSource}';
export const periodOfDays = '{days} days';

// subscription-row
export const paymentFailed = 'Payment failed';
export const retryNote =
  'Your balance was too low. We’ll try again on {nextDay}. Without a payment, access ends on {endDay}.';
export const lastTryNote = 'Your balance was too low. Without a payment, access ends on {endDay}.';
export const cardRetryNote =
  'Your card was declined. We’ll try again on {nextDay}. Without a payment, access ends on {endDay}.';
export const cardDeclinedNote = 'Your card was declined. Without a payment, access ends on {endDay}.';
export const cardSwitchNote = 'If you pay from your balance, future renewals use it too.';
export const payFromBalance = 'Use balance';
export const payNow = 'Pay now';
export const addFundsToPay = 'Add funds to pay';
export const letItEnd = 'Let it end';
export const newPriceTitle = 'New price, {price}';
export const newPriceNote =
  'Up from {oldPrice} on {day}. If you don’t accept it, your subscription ends that day and you pay nothing more.';
export const newPriceDiscounted = 'Your {percent}% discount applies to it too.';
export const accept = 'Accept';
export const accepting = 'Accepting…';
export const freeTrial = 'Free trial';
export const trialEnds = 'Ends {day}. Cancel before then and pay nothing.';
export const active = 'Active';
export const sinceDay = 'Since {day}';
export const discountsLeft = '{percent}% off the next {count} payments, then {price}.';
export const oneDiscountLeft = '{percent}% off the next payment, then {price}.';
export const cancel = 'Cancel';
export const cancelSubscription = 'Cancel {tierName} of {creatorName}';
export const undo = 'Undo';
export const undoCancellation = 'Undo the cancellation of {tierName} of {creatorName}';
export const resume = 'Resume';
export const resumeSubscription = 'Resume {tierName} of {creatorName}';
export const canceling = 'Canceling…';
export const resuming = 'Resuming…';
export const openUntilDay = 'Open until {day}';
export const giftFrom = 'A gift from {giverName}';
export const giftNote =
  'Open until {day}. It doesn’t renew by itself. If you continue, it costs {price}{unit} from your balance after that.';
export const continueGift = 'Continue';
export const continueSubscription = 'Continue {tierName} of {creatorName}';
export const canceledNow = 'Canceled. What you unlocked stays yours.';
export const cardCanceledNow = 'Canceled. Your card won’t be charged again.';
export const renewFromBalance = 'Renew from balance';
export const renewSubscription = 'Renew {tierName} of {creatorName} from your balance';
export const noMoreCharges = 'no more charges';
export const noCharges = 'no charges';
export const onDay = 'on {day}';
export const untilDayOnly = 'until {day}';
export const wasDueOn = 'was due {day}';
export const refundableUntil = 'Refundable until {time} if you open nothing.';
export const refund = 'Refund';
export const refundCharge = 'Refund the last charge of {tierName} of {creatorName}';
export const refundTitle = 'Refund the last charge?';
export const refundLead = 'You get the last charge of {tierName} back. Access to {creatorName} ends now.';
export const cardRefundLead =
  '{price} goes back to your balance. The card fee isn’t refunded. Access to {creatorName} ends now.';
export const refundConfirm = 'Refund and end access';
export const keepSubscription = 'Keep subscription';
export const refundedToast = 'Refunded. Your balance is {amount}.';
export const paidToast = 'Paid. Your balance is {amount}.';
export const endNowTitle = 'End this subscription?';
export const endNowLead = 'Access to {creatorName} ends now. You pay nothing more.';
export const endNowConfirm = 'End now';
export const unsubscribedToast = 'You no longer subscribe to {creatorName}.';
export const endedOn = 'Ended {day}';

// end reasons
export const endedCanceled = 'Canceled by you';
export const endedGift = 'The gift is over';
export const endedUnpaid = 'Not paid';
export const endedPriceChange = 'New price not accepted';
export const endedTierDeleted = 'Tier no longer offered';
export const endedCreatorUnavailable = 'Creator no longer available, rest refunded';
export const endedBlocked = 'Ended by a block';
export const endedChanged = 'Changed to another tier';
export const endedRefunded = 'Refunded';
export const endedChargeback = 'Payment charged back';
export const endedAccountDeleted = 'Account deleted';
export const endedByOperator = 'Ended by us, rest refunded';

// subscription-costs
export const figures = 'What you pay for subscriptions';
export const nextCharge = 'Next charge';
export const nextChargeOn = 'Next charge, {day}';
export const nextChargeNote = '{creatorName}, from your balance';
export const nextCardChargeNote = '{creatorName}, by card';
export const noNextCharge = 'Nothing renews';
export const perMonth = 'Per month';
export const perYear = 'Per year';
export const splitByMonth = 'Other periods split by month';
export const atTodaysPrices = 'At today’s prices';

// next-charges
export const next30Days = 'Next 30 days';
export const chargesCaption = 'Charges of the next 30 days';
export const day = 'Day';
export const creator = 'Creator';
export const amount = 'Amount';
export const total = 'Total';
export const balanceNow = 'Balance now';
export const charges = 'Charges to your balance';
export const byCard = 'by card';
export const cardCharges = 'Charges to your card';
export const balanceThen = 'Balance after';
export const missingThen = 'Missing';
export const nothingDue = 'Nothing is charged in the next 30 days.';
export const addFunds = 'Add funds';
export const belowZeroNote = 'Add funds so that your subscriptions don’t end.';
