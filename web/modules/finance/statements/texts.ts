// statement-form
export const thisMonth = 'This month';
export const lastMonth = 'Last month';
export const thisYear = 'This year';
export const customRange = 'Custom range';
export const chooseADate = 'Choose a date';
export const endBeforeStartError = 'End date is before start date';
export const statementDownloaded = 'Statement downloaded.';
export const downloadStatementAs = 'Download statement as {format}';
export const generating = 'Generating…';
export const statement = 'Statement';
export const period = 'Period';
export const fromDate = 'From';
export const toDate = 'To';
export const statementDescription = 'All transactions with fees and running balance. Dates are in UTC and inclusive.';
