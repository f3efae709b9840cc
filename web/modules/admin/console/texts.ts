// access-notices
export const consoleTitle = 'Console';
export const twoFactorRequired = 'Two-factor authentication required';
export const twoFactorConsoleHint = 'Set up two-factor authentication to open the console.';
export const setUpTwoFactor = 'Set up two-factor authentication';
export const noConsoleAccess = 'You don’t have access to the console.';
export const getRoleHint = 'Ask an owner to give you a role.';
export const yourAccount = 'Your account';
export const noAccess = 'No access';
export const rolesExcludePage = 'Your roles don’t include this page.';
export const getAccessHint = 'Ask an owner for access.';
export const workQueue = 'Work queue';

// admin-nav
export const waitingBadge = 'waiting';

// change-list
export const changes = 'Changes';
export const noChangesYet = 'No changes yet';

// entry-actions
export const viaCli = ' via CLI';
export const byOperator = ' by @{operator}';

// nav-entries
export const search = 'Search';
export const trustSafety = 'Trust & safety';
export const cases = 'Cases';
export const verification = 'Verification';
export const newCreators = 'New creators';
export const calls = 'Calls';
export const money = 'Money';
export const payouts = 'Payouts';
export const subscriptions = 'Subscriptions';
export const needsSecondApproval = 'Needs second approval';
export const outstandingBalances = 'Outstanding balances';
export const paymentEvents = 'Payment events';
export const discrepancies = 'Discrepancies';
export const alerts = 'Alerts';
export const ledger = 'Ledger';
export const platform = 'Platform';
export const systemStatus = 'System status';
export const push = 'Push';
export const killSwitches = 'Kill switches';
export const announcements = 'Announcements';
export const auditLog = 'Audit log';
export const staff = 'Staff';
export const settings = 'Settings';
export const ledgerAlertsPayoutsStopped = 'Ledger alerts (payouts stopped)';
export const casesAndRequests = 'Cases: reports, complaints, appeals and support requests';
export const refundRequests = 'Refund requests';
export const copyrightNoticesDue = 'Copyright notices and counter-notices due';
export const verificationsToReview = 'Verifications to review';
export const payoutsToApprove = 'Payouts to approve';
export const payoutsToSend = 'Payouts to send';
export const returnedPayoutsSecondApproval = 'Returned payouts awaiting second approval';
export const limitChangesSecondApproval = 'Limit changes awaiting second approval';
export const refundsSecondApproval = 'Refunds and write-offs awaiting second approval';
export const payoutBatchesWithErrors = 'Payout batches with errors';
export const paypalEventsToReview = 'PayPal events to review';
export const paymentEventsToReview = 'Payment events to review';
export const ledgerDiscrepancies = 'Ledger discrepancies';
export const fansWithDebtOrBlocks = 'Fans with debt or spending blocks';
export const missingCompanyDetails = 'Missing company details';
export const ongoingCalls = 'Ongoing calls';
export const pushDeliveryProblems = 'Push delivery problems';
export const recentStaffChanges = 'Staff changes (last 7 days)';

// pending-approval-panel
export const awaitingSecondApproval = 'Awaiting second approval: {name}';
export const withdraw = 'Withdraw';
export const reject = 'Reject';

// sale-list
export const thisItemSuffix = ', this item';
export const saleParties = '@{buyerUsername} to @{creatorUsername}{refundNote}';
export const refundedSuffix = ', {partialAmount}refunded';
export const viewTransaction = 'View transaction';

// step-up
export const stepUpHint = 'Required for money, documents and roles. Valid for a few minutes on this device.';
export const yourPassword = 'Your password';
export const codeField = 'Code';
export const codeHint = 'From your authenticator app, or a recovery code.';
export const checking = 'Checking…';
export const continueButton = 'Continue';
export const confirmItsYou = 'Confirm it’s you';

// use-admin-action
export const auditLogNotice = 'Recorded in the audit log.';
export const undo = 'Undo';

// work-queue
export const allClear = 'All clear';
export const emptyQueueHint = 'New items appear here.';
export const oldestSince = 'Oldest: {since}';
