// api-error
export const connectionError = 'Can’t connect. Check your internet and try again.';

// clipboard
export const copyError = 'Couldn’t copy. Select the text and copy it.';

// dates
export const sunday = 'Sunday';
export const monday = 'Monday';
export const tuesday = 'Tuesday';
export const wednesday = 'Wednesday';
export const thursday = 'Thursday';
export const friday = 'Friday';
export const saturday = 'Saturday';
export const jan = 'Jan';
export const feb = 'Feb';
export const mar = 'Mar';
export const apr = 'Apr';
export const may = 'May';
export const jun = 'Jun';
export const jul = 'Jul';
export const aug = 'Aug';
export const sept = 'Sep';
export const oct = 'Oct';
export const nov = 'Nov';
export const dec = 'Dec';
export const today = 'Today';
export const yesterday = 'Yesterday';
export const tomorrow = 'Tomorrow';
export const utcDayTime = '{day}, {time} UTC';
export const dayTime = '{day}, {time}';

// post-audience
export const buyersOnly = 'Buyers only';
export const buyersOnlyHint = 'Fans pay the price once and keep it.';
export const allSubscribers = 'All subscribers';
export const allSubscribersHint = 'Every tier opens it while a fan subscribes. Everyone else can buy it.';
export const tierAndHigher = '{tierName} and higher';
export const tierAndHigherHint =
  '{tierName} and higher tiers open it while a fan subscribes. Everyone else can buy it.';
export const highestTierHint = '{tierName} opens it while a fan subscribes. Everyone else can buy it.';

// money-field
export const amountReadAs = 'Read as {amount}.';

// leave-guard
export const leaveWithoutSaving = 'Leave without saving?';
export const unsavedChangesHint = 'You have unsaved changes.';
export const leave = 'Leave';
export const stay = 'Stay';

// meta
export const siteDescription = 'Get closer to the creators you love. You always see the price first.';

// presence
export const onlineNow = 'Online now';
export const inACall = 'In a call';
export const away = 'Away';
export const offline = 'Offline';

// price
export const pleaseEnterAmount = 'Please enter amount';
export const pleaseEnterValidAmount = 'Please enter valid amount';

// session
export const sessionExpiredError = 'Your session expired. Log in again in another tab, then continue here.';
export const logInInNewTab = 'Log in';

// shared-offer
export const filesSkipped = '{skippedCount}{more} files were too large, or over the limit.';
export const theSharedFile = 'the shared file';
export const theSharedFiles = 'the {count} shared files';
export const addSharedText = 'Add shared text';
export const addFilesAndText = 'Add {files} and text';
export const addFiles = 'Add {files}';
export const sharedWithStagedoor = 'Shared with Stagedoor';
export const copied = 'Copied';
export const copyText = 'Copy text';
export const close = 'Close';
export const discard = 'Discard';

// spending-bound
export const spendingLimitLeaves = 'Your {limitName} leaves {amount}.';
export const spendingIsPaused = 'Your spending is paused.';
export const spendingLimits = 'Spending limits';

// structured-data
export const postsOfCreator = 'Posts of {name}';
export const postByCreator = 'Post by {name}';
