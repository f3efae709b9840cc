// cancellations
export const unconfirmedCancellations = 'Cancellations not confirmed by the processor';
export const unconfirmedHint =
  'These cards may still be charged. We keep retrying. If it keeps failing, cancel the subscription on the processor’s site. It leaves this list once the processor reports it.';
export const requested = 'Requested';
export const lastAttempt = 'Last attempt';
export const lastResponse = 'Last response';
export const fan = 'Fan';

// rows
export const toDecide = 'To decide';
export const refundInProgress = 'Refund in progress';
export const waitingForSale = 'Waiting for sale';
export const processed = 'Processed';
export const chargebackReversed = 'Chargeback reversed';
export const refunded = 'Refunded';
export const ignored = 'Ignored';
export const noActionNeeded = 'No action needed';
export const received = 'Received';
export const reprocess = 'Reprocess';
export const ignore = 'Ignore';
export const refund = 'Refund';
export const refundHint = 'Sends one refund request. The payer gets an email when it’s done.';
export const markAsRefunded = 'Mark as refunded';
export const markRefundedHint = 'Check the processor’s dashboard first. The payer gets an email.';
export const notRefunded = 'Not refunded';
export const markAsNotRefunded = 'Mark as not refunded';
export const markNotRefundedHint = 'Check the processor’s dashboard first. The event goes back to review.';
export const markAsReversed = 'Mark as reversed';
export const markReversedHint = 'The processor returned the money to us. The fan gets it back, and an email.';
export const chargebackReinstated = 'Chargeback reinstated';
export const markAsReinstated = 'Mark as reinstated';
export const markReinstatedHint = 'The amount returned to the fan is reversed, and they get an email.';
export const receivedInTotal = ', {times} in total';
export const noMatchingOrder = 'No matching order';
export const decidedToast = 'Decided: {state}.';
export const awaitingSecondApproval = 'Awaiting second approval.';
export const decide = 'Decide';
export const reason = 'Reason';
export const internalNote = 'Internal note.';
export const paymentEvents = 'Payment events';
export const unknownEventType = 'Unknown event type';
export const previousDecisions = 'Previous decisions';
