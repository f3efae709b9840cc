// copy
export const youOwe = 'You owe {sum}';
export const paymentReversedHint = 'A payment was reversed. Funds you add will pay this off first.';
export const usedToPayDebt = '{sum} used to pay your outstanding balance';
export const youNoLongerOwe = 'You no longer owe {sum}';
export const chargebackReversed = 'Chargeback of {sum} reversed';
export const chargebackReinstated = 'Chargeback of {sum} reinstated';
export const spendingPaused = 'Spending is paused on your account';
export const contactSupport = 'Contact support.';
export const youCanSpendAgain = 'You can spend again';
export const outstandingBalanceUpdate = 'Outstanding balance update';
export const youRequestedAPayout = 'You requested a payout';
export const yourPayoutWasApproved = 'Your payout was approved';
export const yourPayoutWasDeclined = 'Your payout was declined';
export const payoutOnItsWay = 'Your payout is on its way';
export const yourPayoutArrived = 'Your payout arrived';
export const payoutFailed = 'Your payout failed. The money is available again';
export const payoutReturned = 'Your payout was returned. The money is available again';
export const aPayoutMethodWasAdded = 'A payout method was added';
export const aPayoutMethodWasReplaced = 'A payout method was replaced';
export const aPayoutMethodWasRemoved = 'A payout method was removed';
export const payoutMethodsUpdate = 'Payout methods update';
export const methodChangeWarning = '{methodLabel}. Wasn’t you? Change your password now.';
export const youreVerified = 'You’re verified';
export const documentsUnreadable = 'We couldn’t read your documents';
export const yourVerificationWasDeclined = 'Your verification was declined';
export const newLogin = 'New login';
export const yourPasswordWasChanged = 'Your password was changed';
export const twoFactorAuthenticationIsOn = 'Two-factor authentication is on';
export const twoFactorAuthenticationIsOff = 'Two-factor authentication is off';
export const fromDevice = ' from {device}';
export const accountUpdate = 'Account update';
export const securityChangeWarning = 'Wasn’t you? Change your password now.';
export const supportReplied = 'Support replied';
export const viewInHelp = 'View in Help.';
export const checkYourEmail = 'Check your email.';
export const reportLedToAction = 'We took action on your report';
export const thanksForReport = 'Thanks for letting us know.';
export const reportReviewed = 'We reviewed your report';
export const reportNoViolation = 'It doesn’t break our rules. Thanks for letting us know.';
export const reportReopened = 'We’re reviewing your report again';
export const reportReopenedReason = 'It was closed too early.';
export const appealReviewed = 'Your appeal was reviewed';
export const appealRejectedHint = 'The decision stands. Check your email for details.';
export const appealAccepted = 'Your appeal was accepted';
export const appealReversedDecision = 'The decision was reversed.';
export const policyUpdated = 'Updated: {title}';

// data-export
export const notificationsExportHint = 'Your notifications, newest first.';

// digest
export const andOthers = ' and {count} {othersLabel}';
export const unreadMessages = '{count} unread {messagesLabel}';
export const digestSubject = 'What you missed on Stagedoor';
export const digestEmail =
  'Hello {username},\n\nHere’s what you missed:\n\n{list}\n\nSee all: {notificationsUrl}\n\nYou get this email at most once a day. Manage email notifications:\n{preferencesUrl}\n';

// kinds/common
export const payoutUpdate = 'Payout update';
export const dataExportReady = 'Your data is ready to download';
export const dataExportDeadline = 'Download it within 7 days.';
export const decisionReversed = 'A decision about your account was reversed';
export const decisionAppealHint = 'See why and how to appeal.';
export const yourFileWasRestored = 'Your file was restored';
export const yourFileWasRemoved = 'Your file was removed';
export const checkYourEmailForDetails = 'Check your email for details.';
export const commissionEarned = 'You earned {sum} in commission';
export const fromASale = 'From a sale';
export const fromSales = 'From {count} sales';
export const commissionMoved = '{sum} in commission moved to your balance';

// kinds/creators
export const tippedYouTimes = 'tipped you {count} times';
export const earned = '{sum} earned';
export const unlockedPost = 'unlocked {postTitle}';
export const salesEarned = '{count} sales, {sum} earned';
export const calledYouTimes = 'called you, {count} calls';
export const missedCallHint = 'Missed call. You can request a callback.';
export const missedCalls = 'Missed calls';
export const saleRefunded = 'A {sum} sale was refunded';
export const refundedTo = 'To {name}';
export const scheduledPostFailed = 'Scheduled post failed';
export const teamMemberAcceptedHint = 'They can now act for you.';
export const verificationUpdate = 'Verification update';

// kinds/fans
export const publishedPost = 'published {title}';
export const publishedPosts = 'published {count} posts';
export const newPosts = '{count} new posts';
export const chatOpenedHint = 'You can message each other now.';
export const postUnlocked = '{title} unlocked';
export const postByPaid = 'Post by {creatorName}, {sum} paid';
export const mediaUnlockedFrom = 'You unlocked media from {creatorName}';
export const paid = '{sum} paid';
export const callWith = 'Call with {creatorName}';
export const paidViewReceipt = '{sum} paid. View receipt';
export const youTipped = 'You tipped {creatorName} {sum}';
export const fundsAdded = 'Funds added';
export const addedToYourBalance = '{sum} added to your balance';
export const yourDepositWasReversed = 'Your deposit was reversed';
export const depositFailed = 'Deposit failed';
export const seeYourWalletForDetails = 'See your wallet for details.';
export const depositFailedHint = 'Nothing was added to your balance.';
export const refundedToYourCard = '{sum} refunded to your card';
export const refundedToCardReason = 'We couldn’t add it to your balance. The refund can take a few days.';
export const refundedToYourBalance = '{sum} refunded to your balance';
export const refundFrom = 'Refund from {creatorName}';
export const holdReleased = '{sum} hold released to your balance';
export const holdExpired = 'The hold expired.';

// kinds/subscriptions
export const renewalFailed = 'Your subscription to {creatorName} couldn’t be renewed';
export const renewalFailedHint = '{sum} isn’t available in your balance. Add funds to keep your access.';
export const renewalRetryHint =
  '{sum} isn’t available in your balance. Add funds to keep your access. We’ll try again on {day}.';
export const subscriptionRenews = 'Your subscription to {creatorName} renews on {day}';
export const subscriptionRenewsHint = '{sum} from your balance. You can cancel before then.';
export const cardRenewsHint = '{sum} from your card. You can cancel before then.';
export const cardDeclinedHint = 'Your card was declined for {sum}. We’ll try again automatically.';
export const discountEnds = 'Your discount with {creatorName} ends on {day}';
export const discountEndsHint = 'It then renews at the full price of {sum}. You can cancel before then.';
export const trialEnds = 'Your trial with {creatorName} ends on {day}';
export const trialEndsHint = 'It costs {sum} from then on. Cancel before then and you won’t be charged.';
export const acceptNewPrice = 'Accept the new price to stay subscribed to {creatorName}';
export const acceptNewPriceHint = '{sum} from {day}. If you don’t accept it, your subscription ends then.';
export const priceRises = 'New price for your subscription to {creatorName}';
export const priceRisesHint = '{sum} from {day}. Accept it to stay subscribed.';
export const priceDrops = 'Your subscription to {creatorName} costs less';
export const priceDropsHint = '{sum} from {day}. You don’t need to do anything.';
export const priceStays = 'Your subscription to {creatorName} keeps its price';
export const priceStaysHint = 'It still costs {sum}.';
export const tierDeleted = '{creatorName} no longer offers {tierName}';
export const tierDeletedHint = 'You have access until {day} and won’t be charged again.';
export const periodWaived = 'Your subscription to {creatorName} is free until {day}';
export const periodWaivedHint = 'We had to pause renewals. They resume after that day.';
export const subscriptionEnded = 'Your subscription to {creatorName} has ended';
export const endedByCancellation = 'You canceled it. You can subscribe again anytime.';
export const endedGift = 'Your gift is over. You weren’t charged.';
export const endedUnpaid = 'The renewal couldn’t be paid. You weren’t charged.';
export const endedByPrice = 'You didn’t accept the new price. You weren’t charged.';
export const endedWithTier = 'The tier is no longer offered.';
export const endedByOperator = 'Our team ended the subscription.';
export const endedUnavailable = 'The creator can’t offer subscriptions at the moment.';
export const endedByCreator = 'The creator ended it.';
export const endedByRefund = 'It was refunded.';
export const endedByChargeback = 'A payment to your balance was reversed.';
export const endedWithAccount = 'The creator closed their account.';
export const restRefunded = '{sum} for the rest of the period is back in your balance.';
export const tierOnTrial = '{tierName}, free trial';
export const newSubscribers = '{count} new subscribers';
export const subscribersLeft = '{count} subscriptions ended';
export const giftReceived = 'You received a subscription to {creatorName} as a gift';
export const giftReceivedHint = '{tierName} is paid until {day}. It doesn’t renew.';
export const leftGift = 'It was a gift for one period.';
export const leftUnpaid = 'The renewal wasn’t paid.';
export const leftByPrice = 'The new price wasn’t accepted.';
export const leftByRefund = 'The subscription was refunded.';
export const leftByChargeback = 'A payment was reversed.';

// preferences
export const unavailablePreferenceError = 'This setting isn’t available for your account.';

// unsubscribe
export const unsubscribedFromDigest = 'You’re unsubscribed from summary emails.';
