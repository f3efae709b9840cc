// present
export const cardEndingIn = '{brand} ending in {lastDigits}';

// service
export const creditsPriceMismatch = '{credits} credits are {price}';
export const paymentAboveMaximum = 'Maximum per payment is {max}. Choose a smaller amount.';
export const paymentBelowMinimum = 'Minimum per payment is {min}. Choose a larger amount.';
export const noCardSubscriptions = 'Subscriptions can’t be paid by card at the moment. Pay from your balance instead.';
export const idempotencyKeyReused = 'This Idempotency-Key was used for another request.';
export const paymentTimedOut = 'The payment timed out.';

// webhooks/admin
export const onlyChargebackReversible = 'Only a chargeback can be marked as won.';
export const alreadyDecidedBySomeone = 'Someone else already decided this.';
export const processorRequestInProgress = 'A request to the processor is in progress. Wait for the response.';
export const noPaymentToReprocess = 'This event has no payment to reprocess.';
export const refundsNeedDataLink = 'DataLink isn’t set up, so refunds can’t be sent from here.';
export const processorRefundedPayment = 'The processor refunded the payment.';
export const processorDeclinedRefund = 'The processor declined the refund: ';
export const refundResultUnknown = 'The result of the refund is unknown until a webhook or the daily export arrives. ';
export const serverStoppedDuringRequest = 'The server stopped during the request.';
export const refundRequestNotSent = 'No request was sent, because the payment was already refunded.';
export const dataLinkNotSetUp = 'DataLink is not set up.';

// webhooks/process
export const refundedToYourCard = 'Refunded to your card.';
export const chargedBackByYourBank = 'Charged back by your bank.';
export const paymentCanceled = 'The payment was canceled.';
export const returnedByYourBank = 'Returned by your bank.';

// webhooks/uncredited-sales
export const onlyPaymentsRefundable = 'Only a payment can be refunded.';
export const creditedPaymentNotRefundable = 'This payment was credited. It can’t be refunded here.';
export const paymentAlreadyRefunded = 'This payment was already refunded or is being refunded.';
export const processorReportedEarlierRefund = 'The processor reported that this payment was already refunded.';
export const paymentRefundedMailSubject = 'Your payment was refunded';
export const paymentRefundedMail =
  'Hello {username},\n\nYour payment of {amount} couldn’t be added to your balance, so we refunded your card. It can take a few days to show. You don’t need to do anything.\n';

// webhooks/won-chargebacks
export const chargebackHadNoEffect = 'This chargeback didn’t affect anything we credited.';
export const bankReturnedPaymentToUs = 'The card’s bank returned the payment to us.';
