// admin-payout
export const notSubmitted = 'Not submitted';
export const inReview = 'In review';
export const verified = 'Verified';
export const unreadable = 'Unreadable';
export const declined = 'Declined';
export const lessThanADay = 'less than a day';
export const agreementNotSigned = 'agreement not signed';
export const sentVia = 'Sent via';
export const paidToMethodSoFar = 'Paid to this method so far';
export const requestType = 'Request type';
export const automaticPayout = 'Automatic payout';
export const byOperator = 'by @{operator}';
export const transactionWithLink = 'Transaction {link}';
export const payoutTitle = '{amount} for {name}';
export const backToPayouts = 'Back to payouts';
export const viewBatch = 'View batch';
export const messageToUser = 'Message to user: “{reason}”';
export const ourFee = 'Our fee';
export const netPayout = 'Net payout';
export const recipient = 'Recipient';
export const destination = 'Destination';
export const historyTitle = 'History';
export const payoutReference = 'Reference {reference}';
export const inTheLedger = 'In the ledger';

// batches
export const fileReady = 'The file is ready';
export const sendingToPaypal = 'Sending to PayPal';
export const paypalNoConfirmation = 'No confirmation from PayPal. Retrying automatically.';
export const acceptedByPaypal = 'Accepted by PayPal';
export const paypalRejectedBatch = 'Rejected by PayPal. Payouts are queued again.';
export const fileDownloaded = '{fileName} downloaded.';
export const downloading = 'Downloading…';
export const downloadFile = 'Download {fileName}';
export const download = 'Download';
export const batches = 'Batches';
export const batchSummary = '{payoutCount} by {method}, {net}';

// payout-decision
export const approve = 'Approve';
export const approveNet = 'Approve {net}';
export const approveConsequence =
  'Sent with the next batch, unless your approvals for this user within 24 hours exceed the limit.';
export const secondApprovalNotice = 'This amount needs a second approval.';
export const reject = 'Reject';
export const rejectAndReturn = 'Reject and return {amount}';
export const messagePlaceholder = 'Your message.';
export const startReview = 'Start review';
export const cannotBeApproved = 'Can’t be approved now. {problem}';
export const approvedByYouNotice = 'You approved this. This amount needs a second approval.';
export const approvedForNextBatch = 'Approved. It will be sent with the next batch.';
export const rejectedFundsReturned = 'Rejected. Funds returned to the user.';
export const approvedAwaitingSecondApproval = 'Approved. Awaiting second approval.';
export const reviewStarted = 'Review started.';
export const approvedBy = 'Approved by {operators}{progress}.';
export const approvalProgress = ', {approvalCount} of {approvalsNeeded}';
export const decide = 'Decide';
export const reasonField = 'Reason';
export const userSeesReasonHint = 'The user sees this text as written.';
export const internalNoteHint = 'Internal note.';
export const replaceTransactionId = 'Replace transaction ID';
export const replaceTransactionIdHint = 'Use this if it was mistyped or dropped. The old ID stays in the audit log.';
export const paypalCheckNotice =
  'We check with PayPal first and record its answer, whatever you choose. Unclaimed payouts are canceled. Your choice counts only if PayPal no longer has the payout.';
export const itFailed = 'it failed';
export const itWasReturned = 'it was returned';
export const ownReportNotice = 'You reported that {claim}. Another staff member must confirm it by {deadline}.';
export const operatorReportNotice = '@{operator} reported that {claim}. It’s recorded once you confirm it.';
export const checkPaypalAndRecord = 'Check with PayPal and record the result';
export const paypalExplanationPreview = 'An explanation of PayPal’s answer, or: {reason}';
export const messagePlaceholderInline = 'your message.';
export const outcomeSecondApprovalNotice = 'This amount needs a second approval within a week. Then it’s recorded.';
export const approvedAloneNotice =
  'You approved this alone, so another staff member must confirm within a week. Then it’s recorded.';
export const fundsReturnConsequence = '{amount} becomes available to the user again, and they get an email.';
export const bankCodeMessagePreview = 'The meaning of bank code {code}, or your message.';
export const transactionIdReplaced = 'Transaction ID replaced.';
export const savedAwaitingSecondApproval = 'Saved. Awaiting second approval.';
export const paypalRejectedPayout = 'Rejected by PayPal. The payout is queued again.';
export const fundsReturnedToTheUser = 'Funds returned to the user.';
export const markedAsPaid = 'Marked as paid.';
export const saved = 'Saved.';
export const outcome = 'Outcome';
export const evidence = 'Evidence';
export const evidenceHint = 'For example, the bank statement.';
export const blockchainTransactionId = 'Blockchain transaction ID';
export const replacesReference = 'Replaces {reference}';
export const bankCode = 'Bank code';
export const bankCodeHint = 'For example R03. Optional.';
export const nothingLeftToDo = 'Nothing left to do.';
export const closedNothingLeftToDo = 'Closed. Nothing left to do.';
export const financeOnlyNotice = 'You can view this. Only finance can decide.';

// payout-webhooks
export const toDecide = 'To decide';
export const processed = 'Processed';
export const ignored = 'Ignored';
export const noActionNeeded = 'No action needed';
export const received = 'Received';
export const reprocess = 'Reprocess';
export const reprocessHint = 'Checks with PayPal again and records its answer.';
export const ignore = 'Ignore';
export const batch = 'Batch';
export const payout = 'Payout';
export const timesInTotal = ', {timeCount} in total';
export const paypalBatch = 'PayPal batch ID';
export const paypalItem = 'PayPal item ID';
export const noMatchingPayout = 'No matching payout';
export const eventIgnored = 'Ignored.';
export const eventReprocessing = 'Reprocessing.';
export const paypalEvents = 'PayPal events';
export const previousDecisions = 'Previous decisions';

// rows
export const payouts = 'Payouts';
export const approvalsSoFar = '{approvalCount} of {approvalsNeeded} approvals';

// send
export const achSendNote = 'Creates one file and marks the payouts as in transit. Upload it to the bank today.';
export const wireSendNote = 'Creates one list with full account numbers. Someone sends each payout by hand.';
export const paypalSendNote = 'Sent to PayPal and paid out immediately.';
export const cryptoSendNote =
  'Creates one list with full addresses. Someone sends each payout and adds its transaction ID.';
export const payoutsSent = '{payoutCount} sent, {net} in total.';
export const sendQuestion = 'Send {payoutCount} by {method}?';
export const sendTotal = '{net} in total. {note}';
export const sending = 'Sending…';
export const send = 'Send';
export const methodQueueSummary = '{payoutCount} by {method}{totalNote}{holdNote}';
export const nothing = 'Nothing';
export const payoutsOnHold = '{holdCount} on hold: can’t be paid now';
export const notConfigured = 'Not configured';
