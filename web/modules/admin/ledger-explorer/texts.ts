// alarms
export const ledgerBalances = 'Ledger balances';
export const thePublicLog = 'The public log';
export const ordersAndLedger = 'Orders and ledger';
export const theCardProcessorsExport = 'The card processor’s export';
export const payoutsStoppedNotice = 'Payouts are stopped until a new check passes and all alerts are resolved.';
export const ledgerOkNotice = 'Ledger OK as of the last check. Payouts are running.';
export const checks = 'Checks';
export const notRunYet = 'Not run yet';
export const hasDiscrepancies = 'Discrepancies found';
export const otherDiscrepancies = 'Other discrepancies';
export const oldestDiscrepancy = 'Oldest: {date}';
export const checking = 'Checking…';
export const runFullCheck = 'Run full check';
export const fullCheckHint = 'Checks all balances and the full log. Runs nightly; can take minutes.';
export const cause = 'Cause';
export const causeHint = 'Recorded in the audit log.';
export const resolving = 'Resolving…';
export const resolve = 'Resolve';
export const failingAtLastCheck = 'Failing as of the last check';
export const passingNeedsCause = 'Passing again: add the cause';
export const resolved = 'Resolved';
export const detectedBy = 'Found by';
export const openSince = 'Since';
export const lastSeen = 'Last seen';
export const passingSince = 'Passing since';
export const examples = 'Examples';

// audit
export const chainError = 'Couldn’t verify the chain.';
export const tryAgain = 'Try again';
export const verifyingTheChain = 'Verifying the chain…';
export const chainIntact = 'Chain intact: {entryCount}';
export const chainBrokenAtEntry = 'Chain broken at entry {position}';
export const chainChecked = 'Checked {time}{lastHash}';
export const allSubjectActions = '{subject}: all';
export const action = 'Action';
export const anyAction = 'Any action';
export const actor = 'Who';
export const anyone = 'Anyone';
export const target = 'Target';
export const targetId = 'ID';
export const filter = 'Filter';
export const exporting = 'Exporting…';
export const exportCsv = 'Export CSV';
export const auditLog = 'Audit log';

// parts
export const fromDate = 'From';
export const toDate = 'To';

// reconciliation
export const assetsAndLiabilities = 'Assets and liabilities';
export const assetsAndExpenses = 'Assets and expenses';
export const liabilitiesAndRevenue = 'Liabilities and revenue';
export const equalSidesHint = 'Both sides are equal. Numbers in parentheses count the accounts of a type.';
export const unequalSidesHint = 'The sides differ by {difference}. Run a check from Alerts.';
export const whatTheProcessorOwesUs = 'What the processor owes us';
export const paidInByCard = 'Paid in by card';
export const chargedBack = 'Charged back';
export const settled = 'Settled (paid out or kept as fees)';
export const owedByTheProcessor = 'Owed by the processor';
export const processorBalanceHint =
  'The balance is in transit or held in reserve. Record settlements weekly to keep this up to date.';
export const settlements = 'Settlements';
export const notFetched = 'Not fetched';
export const processorAndLedgerByDay = 'Processor and ledger by day';
export const show = 'Show';
export const processorByDayCaption = 'Per day: the processor’s export, and the ledger’s amount below it';
export const day = 'Day';
export const sold = 'Sold';
export const refunded = 'Refunded';
export const discrepancies = 'Discrepancies';
export const openAndExplained = '{openCount} open, {explainedCount} explained';
export const processorByDayHint =
  'Top: the processor’s export for its day (Arizona time). Below: what the ledger recorded. Events received after midnight count for the next day here. That isn’t a discrepancy: sales are compared one by one.';

// search
export const lookUp = 'Look up';
export const lookUpHint =
  'ID of a transaction, operation, sale, payout, deposit or user; payout or processor number; username.';
export const type = 'Type';
export const anyType = 'Any type';
export const amount = 'Amount';
export const search = 'Search';
export const transactions = 'Transactions';
export const searchedBackToTime = 'Searched back to {time}.';
export const platformAccounts = 'Platform accounts';

// statement
export const statement = 'Statement';
export const description = 'Description';
export const balanceAfter = 'Balance after';

// transaction
export const entries = 'Entries';
export const account = 'Account';
export const debit = 'Debit';
export const credit = 'Credit';
export const bothSides = 'Both sides';
export const notInLogYet = 'Not in the log yet. It’s added within about a minute.';
export const verifiedAgainstCheckpoint = 'Verified against checkpoint of {time}';
export const mismatchedCheckpoint = 'Doesn’t match the checkpoint of {time}';
export const entryPosition = 'Entry {position} of {size}';
export const inclusionProof = 'Inclusion proof';
export const inclusionProofIntro = 'The leaf, then the sibling hashes up to the root:';
export const theSignedCheckpoint = 'The signed checkpoint:';
export const accountHolder = 'Account holder';
export const viewPost = 'View post';
export const reversedBy = 'Reversed by';
export const details = 'Details';
export const inThePublicLog = 'In the public log';
