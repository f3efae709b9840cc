// alarms
export const checkStarted = 'Check started. Results appear here.';

// cursors
export const endDateIsBeforeStart = 'End date is before start date';
export const tooManyDecimals = 'Amounts have at most two decimals';
export const invalidOffset = 'Invalid offset';

// reconciliation
export const reconciliationRangeLimit = 'At most {days} days';
export const openAndExplained = '{openCount} open, {explainedCount} explained';
export const chargedBack = 'Charged back';

// statement
export const accountSearchUnavailable = 'This account can’t be searched by amount. Search all transactions.';

// transaction
export const utcTime = '{time} UTC';
export const accountOwner = ' of {owner}';
export const requestedBy = 'Requested by';
export const payoutNumberAndStatus = 'PO-{number}, {status}';
export const paidByCard = 'Paid by card';
export const providerReference = 'Provider reference';
export const providerEvent = 'Provider event';
export const salesCleared = 'Sales cleared';
