// account-deletion
export const payoutInProgressError = 'A payout is in progress. Wait for it to arrive or cancel it.';

// admin
export const payoutAlreadyDecided = 'This was decided already.';

// batches
export const bankOrNetwork = 'Bank or network';
export const railNotConfigured = 'Payouts by {rail} aren’t configured.';
export const noApprovedPayouts = 'No approved payouts to send.';
export const paypalBatchesHaveNoFile = 'PayPal batches have no file.';

// crypto-addresses
export const invalidCryptoAddress = 'This isn’t a valid address for that coin and network.';
export const invalidTransactionId = 'Invalid transaction ID. Use 64 hexadecimal characters{prefixHint}.';

// data-export
export const payoutsExportDescription = 'Payouts you requested and their status.';
export const payoutMethods = 'Payout methods';
export const payoutMethodsExportDescription = 'Partially hidden, as in your settings, with your automatic payouts.';

// eligibility
export const accountBlocked = 'This account is blocked.';
export const negativeRefundBalanceError =
  'You have a negative balance from a refund. Your next earnings cover it, then you can request a payout.';
export const reversedPaymentDebtError =
  'You owe for a reversed payment. Pay it off in your wallet to request a payout.';
export const reversedCommissionError =
  'Commission you withdrew was reversed. Your next commission covers it, then you can request a payout.';
export const rejectReturnedMethodRequest = 'A payout to this method was returned. Reject this request.';
export const payoutsStoppedByLedgerAlert =
  'Payouts are stopped by a ledger alert until a new check passes and all alerts are resolved.';

// failure-claims
export const payoutNotSent = 'This payout hasn’t been sent.';
export const failureAlreadyReported = 'You already reported this. Another staff member must confirm it.';

// manual-transfers
export const payoutStillBeingSent = 'The payout is still being sent to PayPal. Wait for the response.';
export const paypalNotResponding = 'PayPal isn’t responding, and we need its status first. Try again later.';
export const paypalCheckNotConfigured = 'PayPal payouts aren’t configured, so we can’t check with PayPal.';
export const paypalStillInTransit = 'PayPal reports the payout as in transit. Nothing is recorded until that changes.';
export const noBlockchainTransaction = 'This payout has no blockchain transaction.';
export const transactionIdChanged = 'Someone else changed the transaction ID. Reload and check again.';

// methods
export const methodAlreadyAdded = 'You’ve already added this method.';
export const methodLimitReached = 'You can have up to {maximum} methods. Remove one first.';
export const methodHasPayoutInProgress = 'A payout to this method is in progress. Wait for it or cancel it first.';
export const methodUsedByAutomaticPayouts = 'Automatic payouts use this method. Change or turn them off first.';

// nacha
export const bankFileDailyLimit = 'A bank accepts up to 36 files a day. Try again tomorrow.';

// own-payouts
export const endDateBeforeStart = 'End date is before start date';

// payout-approvals
export const ownPayoutDecisionError = 'This is your own payout. Another staff member must decide.';
export const payoutNotPayable = 'This can’t be paid. {problem}';
export const approvalNeedsAnotherOperator = 'You already approved this. Another staff member must approve it too.';

// payout-detail
export const recipientAvailableBalance = 'Recipient’s available balance';
export const onHoldForPayouts = 'On hold for payouts';
export const inTransit = 'In transit';
export const ourFee = 'Our fee';
export const ourBankAccount = 'Our bank account';

// payout-schedules
export const payoutMethodMissing = 'Payout method not found.';
export const minimumPayout = 'Minimum payout is {minimum}.';
export const nothingWasAvailable = 'Nothing was available.';

// paypal-webhook-admin
export const webhookAlreadyDecided = 'Someone else already decided this.';

// paypal-webhooks
export const payoutBatchPreviouslyRefused = 'PayPal previously rejected a batch with this payout';
export const payoutBatchRefused = 'PayPal rejected this payout’s batch';
export const paypalMessage = 'PayPal reports {state}: {message}';

// paypal
export const paypalPayoutNote = 'Your payout';
export const paypalPayoutSubject = 'You have a payout';
export const paypalPayoutMessage = 'Your earnings are on their way.';

// present
export const foreignAccountLabel = '{accountType} abroad ending in {lastDigits}, {bankCode}';
export const domesticAccountLabel = '{accountType} ending in {lastDigits}, routing {routingNumber}';
export const paypalAccountLabel = 'PayPal {initial}•••@{host}';
export const transferFailed = 'We couldn’t send the transfer. We’re looking into it; you can request it again.';
export const accountClosed = 'This account is closed. Add another method.';
export const bankAccountUnknown = 'Your bank couldn’t find this account. Check the details.';
export const accountNumberInvalid = 'The account number is invalid. Check the details.';
export const accountFrozen = 'This account is frozen. Contact your bank or add another method.';
export const methodCannotReceiveMoney = 'We can’t send money to this method.';
export const inReview = 'In review';
export const waitingToBeSent = 'Waiting to be sent';
export const broadcastToNetwork = 'Broadcast to the network';
export const awaitingNetworkConfirmation = 'Awaiting network confirmation';
export const waitingForPaymentProvider = 'Waiting for the payment provider';
export const declinedByProviderRetrying = 'Declined by the payment provider. Retrying';

// requests
export const addReturnedMethodAgain = 'A payout to this method was returned. Add the method again.';
export const utcTime = '{time} UTC';
export const newMethodUsableFrom = 'For your security, you can use this new method from {startTime}.';
export const maximumPayoutNow = 'You can pay out up to {availableAmount} now.';
export const requestAlreadyProcessed = 'This request has been processed and can’t be canceled.';

// routes
export const payoutMethodRemoved = 'Payout method removed.';

// submit
export const paypalEmailUnknown = 'No PayPal account uses this email. Check it or create one.';
export const paypalEmailNotConfirmed = 'This email isn’t confirmed with PayPal. Confirm it there.';
export const paypalAccountLocked = 'Your PayPal account is locked. Contact PayPal or add another method.';
export const paypalPaymentUnclaimed = 'The payment wasn’t claimed within 30 days. Check your PayPal email.';
export const paypalPayoutFailed = 'PayPal couldn’t complete the payout ({code}). You can request it again.';
export const paypalRefusal = 'PayPal rejected the batch: {reason}';
export const refusedButMaybePaid = '{refusal}. An earlier attempt may already have been paid.';

// transfers
export const payoutAlreadyClosed = 'This payout is already closed.';
export const moneyAlreadyReturned = 'The money was already returned.';
export const broadcastPayoutNotReturnable = 'It’s on the blockchain. A broadcast payout can’t be returned.';
export const enterBlockchainTransactionId = 'Enter the blockchain transaction ID.';
export const anotherBlockchainTransactionExists = 'This payout already has another blockchain transaction.';
