// admin-list
export const listKeysHint = '{nextKey} {previousKey} Move {openKey} Open';
export const filter = 'Filter';

// alarms
export const alerts = 'Alerts';
export const open = 'Open';
export const resolved = 'Resolved';
export const noOpenAlerts = 'No open alerts';
export const noResolvedAlerts = 'No resolved alerts';

// announcements
export const announcements = 'Announcements';
export const noAnnouncementsYet = 'No announcements yet';
export const announcementsIntro =
  'Shown at the top of every page for logged-in users until they expire. Announcements can’t be edited: end one and write a new one.';
export const newAnnouncement = 'New announcement';

// approvals
export const needsSecondApproval = 'Needs second approval';
export const nothingAwaitingSecondApproval = 'Nothing awaiting second approval';
export const approvalsIntro = 'Large refunds, chargeback reversals and write-offs wait here for a second approval.';
export const recentlyDecided = 'Recently decided';

// audit
export const auditLog = 'Audit log';
export const noMatchingEntries = 'No matching entries';
export const clearFilters = 'Clear filters';

// call
export const call = 'Call';
export const search = 'Search';

// calls
export const calls = 'Calls';
export const noOngoingCalls = 'No ongoing calls';
export const noCallsEndedByStaff = 'No calls ended by staff';

// case
export const caseTitle = 'Case';

// cases
export const cases = 'Cases';
export const queue = 'Queue';
export const allQueues = 'All queues';
export const caseSearchPlaceholder = 'Reference, username or email';
export const caseKeysHint = '{assignKey} Assign or unassign {selectKey} Select';
export const noResults = 'No results';
export const noCases = 'No cases';

// debtors
export const outstandingBalances = 'Outstanding balances';
export const noOutstandingBalances = 'No outstanding balances';

// differences
export const discrepancies = 'Discrepancies';
export const noOpenDiscrepancies = 'No open discrepancies';

// index
export const console = 'Console';
export const workQueue = 'Work queue';

// kill-switches
export const killSwitches = 'Kill switches';
export const killSwitchesIntro =
  'Turn features off on all servers within seconds. Users see a message. Payments in progress continue.';
export const history = 'History';

// ledger-account
export const account = 'Account';
export const ledger = 'Ledger';
export const noTransactionsInThisPeriod = 'No transactions in this period';
export const endOfList = 'End of list';

// ledger-reconciliation
export const reconciliation = 'Reconciliation';

// ledger-settlements
export const settlements = 'Settlements';
export const recordedSettlements = 'Recorded settlements';
export const noSettlementsRecordedYet = 'No settlements recorded yet';

// ledger-transaction
export const transaction = 'Transaction';

// ledger
export const noFilteredResults = 'No results. Try different filters.';
export const accountsOfUser = 'Accounts of {username}';
export const noTransactionsYet = 'No transactions yet';
export const transactions = 'Transactions';

// new-creator-slots
export const newCreators = 'New creators';
export const creatorDetails = 'Joined {joinedAt} · {followerCount} · {postCount}';
export const spotNumber = 'Spot {slot}';
export const profileLink = 'Profile{owner}';
export const ofCreator = 'of {name}';
export const newCreatorSpotsIntro =
  'One of every {every} spots on the home page goes to a new creator: joined in the last {days} days, verified, with at least one post and up to {followers} followers. Up to {max} are featured each day. They’re drawn using a hash of the date and the creator’s number, so the draw can’t be manipulated and anyone can verify it. {link}';
export const publicExplanation = 'Public explanation';
export const drawnForDay = 'Drawn for {day}';
export const inTheDraw = '{count} in the draw';
export const noNewCreatorsToday = 'No new creators today';
export const featuredToday = 'Featured today';
export const notFeaturedToday = 'Not featured today';
export const firstInTheDraw = 'First {shownCount} in the draw';

// payout-batches
export const payoutBatches = 'Payout batches';
export const payoutsToSend = 'Payouts to send';
export const noBatchesYet = 'No batches yet';

// payout-webhooks
export const paypalEvents = 'PayPal events';
export const payoutsInTransit = 'Payouts in transit';
export const noEventsToReview = 'No events to review';

// payout
export const payout = 'Payout';

// payouts
export const anyOption = 'Any';
export const noPayoutsToApprove = 'No payouts to approve';
export const noPayoutsToSend = 'No payouts to send';
export const noPayoutsInTransit = 'No payouts in transit';
export const noPayoutsOnHold = 'No payouts on hold';
export const payouts = 'Payouts';
export const subscriptions = 'Subscriptions';
export const subscription = 'Subscription';
export const subscriptionSearchLabel = 'Username or email of a fan or creator';
export const allSubscriptions = 'All subscriptions';
export const noSubscriptionsHere = 'No subscriptions here.';
export const noSubscriptionsOfUser = 'No subscriptions found for this user.';
export const subscriptionSettingsHistory = 'Subscription settings history';
export const payoutOrUser = 'Payout or user';
export const payoutSearchHint = 'Payout number (PO-000001), exact username or email';
export const destination = 'Destination';
export const source = 'Source';
export const status = 'Status';
export const requestedFrom = 'Requested from';
export const untilDate = 'Until';
export const showButton = 'Show';
export const all = 'All';
export const batch = 'Batch';

// post
export const post = 'Post';
export const untitledPost = 'Untitled post';

// processor-webhooks
export const paymentEvents = 'Payment events';
export const nothingToReview = 'Nothing to review';

// push
export const push = 'Push';
export const allPushServicesAreWorking = 'All push services are working.';

// search
export const searchHint =
  'Search by name, username or email (full or the first letters), case number or ID{ledgerHint}. Searches are recorded in the audit log.';
export const moreSearchResultsHint = 'More results available. Refine your search.';
export const searchedBackTo = 'Searched back to {date}. {link}';
export const continueInTheLedger = 'Continue in the ledger';

// settings
export const feesAndLimits = 'Fees and limits';
export const creatorsUsernameOrEmail = 'Creator’s username or email';
export const lookUp = 'Look up';
export const allCustomFees = 'All custom fees';
export const noCustomFees = 'No custom fees';
export const unknownCreator = 'Creator not found';
export const feesAndLimitsHint = 'Changes apply to new sales and requests. Public pages update immediately.';
export const feesCommissionsAndHolds = 'Fees, commissions and holds';
export const feeChangeHistory = 'Fee change history';
export const customCreatorFees = 'Custom creator fees';
export const customFeesHint = 'A custom offer replaces the new creator offer on its dates. Past sales aren’t affected.';
export const priceLimits = 'Price limits';
export const priceLimitsHint =
  'New prices must be within these limits. Existing prices aren’t affected. Calls put {holdMinutes} minutes on hold.';
export const priceLimitHistory = 'Price limit history';
export const payoutSettingsHistory = 'Payout settings history';
export const companyDetails = 'Company details';
export const companyDetailsHint = 'Used in the legal pages. Empty fields are left out and listed in the work queue.';
export const changeHistory = 'Change history';

// staff
export const staff = 'Staff';
export const staffIntro =
  'Staff see only what their roles allow and need two-factor authentication. Idle sessions end quickly. New roles allow second approvals after {days} days.';
export const inviteStaff = 'Invite staff';

// step-up
export const confirmItsYou = 'Confirm it’s you';

// system
export const systemStatus = 'System status';

// verification
export const verification = 'Verification';

// verifications
export const noVerificationsToReview = 'No verifications to review';
