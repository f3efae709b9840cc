// balance-head
export const wallet = 'Wallet';
export const availableBalance = 'Available {amount}';
export const heldBalance = 'Held {amount}';
export const addFunds = 'Add funds';
export const customAmountInDollars = 'Custom amount in dollars';

// call-row
export const videoCall = 'Video call';
export const voiceCall = 'Voice call';
export const held = 'Held';
export const released = 'Released';
export const free = 'Free';
export const refunded = 'Refunded';
export const paid = 'Paid';
export const inProgressAtRate = 'In progress at {rate}';
export const durationAtRate = '{duration} at {rate}';
export const notConnected = 'Not connected';
export const canceled = 'Canceled';
export const noAnswer = 'No answer';
export const busy = 'Busy';
export const withUser = ' with {name}';
export const callReceipt = 'Call receipt';
export const callTransactions = 'Call transactions';
export const chargedRestReleased = 'Charged {amount}, rest released';

// card-brands
export const cardsAccepted = 'Cards accepted';

// debt-listener
export const paymentReversedToast = 'A payment was reversed and you now owe {owed}. See your wallet to resolve it.';
export const debtPartlyPaidToast = '{amount} paid toward your outstanding balance. {owed} left.';
export const debtPaidToast = '{amount} paid. You no longer owe anything{ending}';
export const canSpendAgainEnding = ' and can spend again.';
export const debtCanceledToast = 'Your {amount} debt was canceled.';
export const chargebackReversedToast = 'A chargeback was reversed and {amount} is back in your balance.';
export const chargebackReversalUndoneToast =
  'A chargeback reversal was undone and {amount} was removed from your balance.{debtNote}';
export const youOweNote = ' You owe {owed}.';
export const spendingPausedToast = 'Spending is paused on your account. See your wallet for details.';
export const youCanSpendAgain = 'You can spend again.';
export const holdReleasedToast = '{amount} on hold was released back to your balance.';

// debt-notice
export const outstandingBalance = 'Outstanding balance: {owed}{pausedNote}';
export const spendingIsPausedNote = '. Spending is paused';
export const spendingIsPaused = 'Spending is paused';
export const spendingPausedExplanation =
  'We’ve paused spending on this account. Your balance is safe. Contact support.';
export const debtExplanation = 'A payment was reversed after you spent it. Funds you add pay this off first.';
export const debtBlockedMessage = '{explanation} You can spend again once it’s paid off.';
export const operatorBlockedMessage = '{explanation} We’ve also paused spending on this account. Contact support.';
export const payOutstandingBalance = 'Pay outstanding balance';
export const contactSupport = 'Contact support';

// debt-share
export const allPaysDebt = 'All of it pays toward the {owed} you owe.';
export const partPaysDebt = '{debtPart} pays off what you owe; {remainder}.';
export const youWontOweAnything = 'you won’t owe anything';
export const restIsAdded = '{amount} is added to your balance';

// deposit-amount
export const amountLimitsError = 'Amount must be minimum {min} and maximum {max}.';
export const validAmountRequired = 'Please enter valid amount';
export const maximumPerPayment = 'Maximum per payment: {max}';
export const maximumPerDeposit = 'Maximum {max} per deposit';
export const minimumPerDeposit = 'Minimum {min} per deposit';
export const maximumDepositError = 'Maximum {max} per deposit.';
export const roundedAmount = 'Rounded to {amount}.';
export const creditLimits = 'From {min} to {max} credits';

// deposit-dialog
export const howManyCredits = 'How many credits?';
export const paymentInformation = 'Payment Information';
export const youGet = 'You get';
export const youPay = 'You pay';
export const cardProcessorNote =
  'You’ll pay on our card processor’s page. Stagedoor never sees your card number.{statementNote}';
export const statementDescriptorNote = 'The charge appears on your statement as {descriptor}.';
export const creditCount = '{count} credits';
export const packBalance = '{amount} balance';
export const otherAmount = 'Other amount';
export const credits = 'Credits';
export const amountInDollars = 'Amount in dollars';
export const continueToPayment = 'Continue to payment';
export const continueInNewTab = 'Continue in a new tab';
export const newTabHint = 'You’re in a call. Pay in the new tab and keep talking here.';
export const paymentStepTitle = 'Step 2 of 2: Payment Information';
export const pay = 'Pay';
export const openingThePaymentPage = 'Opening the payment page…';
export const back = 'Back';
export const testModeNote = 'Test mode. No real money moves.';

// deposit-return
export const confirmingYourPayment = 'Confirming your payment…';
export const subscriptionStartedTitle = 'You’re subscribed';
export const subscriptionStarted = 'Your card is charged again when the subscription renews. Cancel any time.';
export const subscriptionStartedByCard =
  'Paid with {card}, which is charged again when the subscription renews. Cancel any time.';
export const subscriptionNotStartedTitle = 'Your subscription couldn’t start';
export const subscriptionNotStarted = 'We added {amount} to your balance. Your card won’t be charged again.';
export const addedToBalance = 'Added to your balance';
export const subscription = 'Subscription';
export const viewSubscriptions = 'View subscriptions';
export const confirmingSubscriptionLeaveHint = 'You can leave this page. Your subscription starts automatically.';
export const subscriptionFailedHint = 'Your subscription didn’t start. Try again or use a different card.';
export const subscriptionPayment = 'Card payment for a subscription';
export const fundsAdded = 'Funds added';
export const paymentFailed = 'Payment failed';
export const takingLongerTitle = 'This is taking longer than usual';
export const unknownPaymentTitle = 'Payment not found';
export const yourNewBalance = 'Your new balance{cardNote}';
export const paidWithCard = ' · Paid with {card}';
export const youPaid = 'You paid';
export const debtPaidNote = '{amount} was used to pay your outstanding balance.';
export const backToPost = 'Back to post';
export const continueButton = 'Continue';
export const viewWallet = 'View wallet';
export const goToWallet = 'Go to wallet';
export const confirmingHint = 'This usually takes a few seconds.';
export const confirmingLeaveHint = 'You can leave this page. Your balance updates automatically.';
export const tryAgain = 'Try again';
export const yourCardWasDeclined = 'Your card was declined.';
export const paymentFailedHint = 'Nothing was added to your balance. Try again or use a different card.';
export const checkAgain = 'Check again';
export const pendingPaymentHint = 'Your payment hasn’t been confirmed yet. Some banks take a few minutes.';
export const pendingPaymentLeaveHint =
  'You can leave this page. Your balance updates once the payment is confirmed. If you closed the payment page before paying, you weren’t charged.';
export const unknownPaymentHint = 'The link may be incomplete. You’ll find all your deposits in your wallet.';

// money-rows
export const transactions = 'Transactions';
export const depositAmount = 'Deposit, {amount}';
export const depositCredits = 'Deposit, {count} credits';
export const amountReversed = '{amount} reversed';
export const amountPaidDebt = '{amount} used to pay your outstanding balance';
export const deposits = 'Deposits';

// receipt-sheet
export const balanceAfter = 'Balance after';
export const receipt = 'Receipt';

// tip-button
export const tipCreator = 'Tip {creatorName}';
export const tip = 'Tip';

// tip-dialog
export const tipSentToast = 'You tipped {creatorName} {amount}.';
export const towardGoal = 'Toward “{goalTitle}”';
export const amountLabel = 'Amount';
export const customAmount = 'Custom amount';
export const tipLimits = 'From {min} to {max}';
export const addAMessage = 'Add a message';
export const messageHint = 'Only {creatorName} sees it.';
export const overSpendingLimit = 'Over your limit';
export const addFundsToTip = 'Add funds to tip';
export const leftInCall = 'Left in this call {amount}';
export const callFundsHint = 'Includes funds held for the call. A tip shortens the time you can talk.';
export const notEnoughFunds = 'Not enough funds';
export const remainingBalance = 'After: {amount}';
