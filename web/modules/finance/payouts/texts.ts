// method-form
export const bankAccount = 'Bank account';
export const crypto = 'Crypto';
export const enterYourPassword = 'Enter your password';
export const yourPassword = 'Your password';
export const authenticationCodeIfEnabled = 'Authentication code (if enabled)';
export const paypalEmail = 'PayPal email';
export const coinAndNetwork = 'Coin and network';
export const address = 'Address';
export const wrongNetworkWarning = 'Funds sent on the wrong network are lost. Double-check the address.';
export const accountHolder = 'Account holder';
export const accountHolderHint = 'As on your bank account';
export const region = 'Region';
export const accountType = 'Account type';
export const routingNumber = 'Routing number';
export const ibanOrAccountNumber = 'IBAN or account number';
export const accountNumber = 'Account number';
export const methodAdded = '{label} added. You can use it from {usableAt}.';
export const replaceMethod = 'Replace {label}';
export const addPayoutMethod = 'Add payout method';
export const replaceMethodConsequence =
  'Replaces {label}. Requested payouts still go to the old one; automatic payouts use the new one.';
export const methodType = 'Method type';
export const replacing = 'Replacing…';
export const adding = 'Adding…';
export const replaceButton = 'Replace';
export const addMethod = 'Add method';
export const cancel = 'Cancel';

// methods
export const removeMethod = 'Remove {label}';
export const removeMethodQuestion = 'Remove {label}?';
export const removing = 'Removing…';
export const removeButton = 'Remove';
export const noLongerUsable = 'No longer usable';
export const availableFrom = 'Available from {usableAt}';
export const ready = 'Ready';
export const payoutMethods = 'Payout methods';
export const payoutMethodsHint =
  'Encrypted and partially hidden. New methods are available after {coolingHours} hours. We’ll email you about any change.';

// payouts
export const couldntLoadPayoutStatus = 'Couldn’t load payout status.';
export const tryAgain = 'Try again';
export const loading = 'Loading…';
export const status = 'Status';
export const reference = 'Reference {reference}';
export const amountAvailableAgain = '{amount} is available again.';
export const canceling = 'Canceling…';
export const cancelRequest = 'Cancel request';
export const youReceive = 'You receive';
export const payouts = 'Payouts';

// queries
export const requested = 'Requested';
export const inReview = 'In review';
export const approved = 'Approved';
export const rejected = 'Rejected';
export const transferred = 'Transferred';
export const canceled = 'Canceled';

// request-form
export const enterValidAmount = 'Please enter valid amount';
export const atLeastMinimum = 'At least {minimum}';
export const upToAvailable = 'Up to {available} available';
export const payoutRequested = 'Payout of {amount} requested.';
export const amount = 'Amount';
export const max = 'Max';
export const toMethod = 'To';
export const availableNow = 'Available now';
export const availableAfter = 'Available after';
export const requesting = 'Requesting…';
export const requestPayoutAmount = 'Request payout · {amount}';
export const requestPayoutButton = 'Request payout';
export const payoutReviewHint = 'We review every request. You can cancel until it’s approved.';
export const nothingAvailableHint = 'Nothing available yet. Pending earnings clear automatically.';
export const methodAvailableFrom = '{label} is available from {usableAt}.';
export const addMethodForPayoutHint =
  'Add a payout method. For your security, new methods are available after {coolingHours} hours.';
export const yourPayoutMethods = 'Your payout methods';
export const requestAPayout = 'Request a payout';

// rule
export const everyWeek = 'Every week';
export const everyMonth = 'Every month';
export const everyYear = 'Every year';
export const whenBalanceExceedsAmount = 'When my balance exceeds an amount';
export const onFutureDay = 'on {day}';
export const onPastDay = 'On {day}';
export const thresholdRule =
  'When your balance exceeds {threshold}, we request a payout of your full balance to {method}.';
export const nextPayout = ', next {nextOn}';
export const scheduleRule = '{frequency}{next}, we request a payout of your full balance to {method}.';
export const methodRemovedProblem = 'The payout method was removed. Choose another.';
export const automaticPayoutsPaused = '{problem} Automatic payouts are paused.';
export const cannotSendToMethod = 'We can’t send money to this method.';
export const waitingForYourMinimum = '{available} is available now. Waiting for your minimum.';
export const belowPayoutMinimum = '{available} is available now. Minimum {minAmount}.';
export const aRemovedMethod = 'a removed method';
export const noPayoutRequested = '{day} no payout was requested. {reason}';
export const automaticPayouts = 'Automatic payouts';
export const when = 'When';
export const startingTodayMinimum = 'Starting today. Minimum {minAmount}.';
export const moreThan = 'More than';
export const saving = 'Saving…';
export const save = 'Save';
export const turnOffAutomaticPayouts = 'Turn off automatic payouts';
export const automaticPayoutsAreOff = 'Automatic payouts are off.';
export const addMethodForAutomaticHint = 'Add a payout method to turn on automatic payouts.';
export const change = 'Change';
export const setUp = 'Set up';
