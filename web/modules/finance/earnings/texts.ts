// balance-stats
export const sameAsLastWeek = 'Same as this time last week';
export const moreThanLastWeek = '+{difference} more than this time last week';
export const lessThanLastWeek = '{difference} less than this time last week';
export const earnings = 'Earnings';
export const refundsOwed = '{amount} in refunds will be deducted from your next earnings';
export const availableToPayOut = 'Available to pay out';
export const nextClearing = 'Next clears {time}';
export const nothingPending = 'Nothing pending';

// best-sellers
export const lastSales = 'Last {saleCount}';
export const topPosts = 'Top posts';
export const youEarn = 'You earn';
export const topFans = 'Top fans';
export const paid = 'Paid';

// calculator
export const validAmountRequired = 'Please enter valid amount';
export const amountRangeError = 'Between {minimum} and {maximum}';
export const priceCalculator = 'Price calculator';
export const typeLabel = 'Type';
export const fanPaysPerMinute = 'Fan pays per minute';
export const fanPays = 'Fan pays';
export const youWantToEarn = 'You want to earn';
export const amountHint = 'Allowed: {minimum} to {maximum}. Enter either amount.';

// clearing-table
export const pendingByClearingDate = 'Pending by clearing date';
export const sales = 'Sales';
export const laterDates = 'Later';
export const pending = 'Pending';

// earning-transactions
export const refunded = 'Refunded';
export const available = 'Available';
export const clearsOn = 'Clears {day}';
export const fullyRefunded = 'Fully refunded to the fan.';
export const pendingUntil = 'Pending until {time}.';
export const availableSince = 'Available since {time}.';
export const platformFeePercent = 'Platform fee, {feePercent}%';
export const affiliateShare = 'Referral commission, paid from the fee';
export const refundedToTheFan = 'Refunded to the fan';
export const platformFeeRefunded = 'Platform fee refunded';
export const viewItem = 'View item';
export const partialRefund = '{amount} refunded';
export const saleFromFan = '{title} from {fanName}';
export const transactions = 'Transactions';

// earnings-by-kind
export const fansPaid = 'Fans paid';
export const platformFeeColumn = 'Platform fee';
export const today = 'Today';
export const thisMonth = 'This month';
export const thisYear = 'This year';
export const byType = 'By type';
export const periodLabel = 'Period';
export const noEarningsInPeriod = 'No earnings in the {period}.';
export const earningsByTypeSummary = '{type}: {latestAmount} {latestPeriod}, {totalEarnings} in the {period}';
export const earningsByTypeCaption = 'Earnings by type in the {period}';
export const totalRow = 'Total';
export const refundsAndDaysNote = 'Refunds are deducted on the day of the sale. Days are in UTC.';

// earnings-chart
export const lastSevenDays = 'Last 7 days';
export const lastTwelveMonths = 'Last 12 months';
export const lastThreeYears = 'Last 3 years';
export const days = 'Days';
export const months = 'Months';
export const years = 'Years';
export const totalEarning = 'Total Earning';
export const totalEarningCaption = 'Total Earning, {period}';
export const timeColumn = 'When';
export const earned = 'Earned';

// money-stats
export const payoutInTransit = '{amount} in transit';
export const payoutRequested = '{amount} requested';
export const paidOut = 'Paid out';
export const nothingPaidOutYet = 'Nothing paid out yet';
export const balances = 'Balances';
export const clearsAutomatically = 'Clears automatically';

// recent-earnings
export const grossLessFee = '{gross} less {feePercent}%';
export const partiallyRefunded = 'Partially refunded';
export const received = 'Received';
export const noTipsTitle = 'No tips yet.';
export const noTipsHint = 'New tips appear here.';
export const recentTips = 'Recent tips';
export const recentEarnings = 'Recent earnings';
export const noEarningsHint = 'No earnings yet. Sales and tips appear here as soon as they’re paid.';
export const viewAll = 'View all';
export const filter = 'Filter';
export const allEarnings = 'All';
export const tips = 'Tips';

// setup-card
export const addYourBioAndCategory = 'Add your bio and category';
export const addAProfilePhoto = 'Add a profile photo';
export const addACoverPhoto = 'Add a cover photo';
export const publishYourFirstPost = 'Publish your first post';
export const verifyYourIdentity = 'Verify your identity';
export const addAPayoutMethod = 'Add a payout method';
export const finishSettingUp = 'Finish setting up';
export const stepsDone = '{doneCount} of {stepCount} done';
export const doneMark = '(done)';
export const underReview = 'Under review';

// tip-toast
export const tipReceivedToast = '{fanName} tipped you {amount}.';
export const tipWithNoteToast = '{fanName} tipped you {amount}: “{note}”';
