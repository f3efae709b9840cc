// data-export
export const statementsExportHint = 'All transactions as spreadsheets.';

// print-worker
export const dateUtcColumn = 'Date (UTC)';
export const earningsStatement = 'Earnings statement';
export const walletStatement = 'Wallet statement';
export const availableSince = 'Available since {date}';
export const clearsOn = 'Clears {date}';
export const partlyRefunded = '{clearingStatus}, {refund} refunded';
export const printedLinesLimitHint =
  'PDF statements show up to {maxCount} transactions. Download the CSV for all: {csvUrl}';
export const moreTransactions = '{count} more transactions';
export const documentTitle = '{brand}: {title}, {startDate} to {endDate}';
export const pageFooter = '{brand} · @{username} · {startDate} to {endDate}';
export const pageProgress = 'Page {page} of {count}';
export const periodAndCurrency = '{startDate} to {endDate} (inclusive, UTC). Amounts in US dollars.';
export const generatedAt = 'Generated {time} UTC.';
export const totalsByType = 'Totals by type';
export const openingBalance = 'Opening balance';
export const closingBalance = 'Closing balance';
export const tamperEvidentLogHint =
  'Every transaction is recorded in a tamper-evident log. Signed checkpoints: {logUrl}. ';

// service
export const statementBeingGenerated = 'Your statement is being generated.';

// table
export const clearsUtcColumn = 'Clears (UTC)';
export const clearedUtcColumn = 'Cleared (UTC)';
