// broadcast-thread
export const selectedChats = 'Selected chats';
export const allFollowers = 'All followers';
export const pastBuyers = 'Past buyers';
export const activeInLast30Days = 'Active in last 30 days';
export const followersWithoutUnlock = 'Followers who haven’t unlocked it';
export const allSubscribers = 'All subscribers';
export const subscribersOfTier = 'Subscribers of a tier';
export const newSubscribers = 'New subscribers, last 30 days';
export const trialSubscribers = 'On a free trial';
export const pastDueSubscribers = 'Payment failed, access still open';
export const expiringSubscribers = 'Canceled, access still open';
export const endedSubscribers = 'Subscription ended, last 90 days';
export const topSpenders = 'Top spenders';
export const tierLabel = 'Tier';
export const chooseTier = 'Choose a tier';
export const groupAtSendTimeHint = 'The group is fixed when the message is sent. Each fan receives it once.';
export const tierSubscribers = '{tierName} subscribers';
export const sending = 'Sending…';
export const toFans = 'To {fanCount}';
export const deliveredStat = '{deliveredCount} delivered';
export const readStat = '{readCount} read';
export const unlockedStat = '{purchasedCount} unlocked';
export const earnedStat = '{amount} earned';
export const deletedBroadcastStats = 'Deleted. {stats}';
export const deleteForEveryoneConsequence = 'It’s removed for everyone who hasn’t read or unlocked it.';
export const recipientsLabel = 'To';
export const sendTimeLabel = 'When';
export const schedule = 'Schedule';
export const removeSchedule = 'Remove schedule';
export const sendLater = 'Send later';
export const skipOwnersOption = 'Skip fans who’ve already unlocked one of these files';
export const broadcasts = 'Broadcasts';
export const broadcastHint = 'Each fan receives it as a personal message.';
export const yourFans = 'your fans';
export const noEarlierBroadcasts = 'No earlier broadcasts';
export const newBroadcast = 'New broadcast';

// schedule
export const chooseDateAndTime = 'Choose a date and time';
export const chooseFutureTime = 'Choose a future time';
export const chooseTimeWithinYear = 'Choose a time within a year';

// scheduled
export const scheduled = 'Scheduled';
export const scheduledBroadcasts = 'Scheduled broadcasts';
export const scheduledBroadcastOptions = 'Options';
export const sendNow = 'Send now';
export const sendNowQuestion = 'Send now?';
export const sendNowConsequence = 'It’s sent immediately instead of at the scheduled time.';
export const changeTime = 'Change time';
export const saveTime = 'Save';
export const back = 'Back';
export const cancelBroadcast = 'Cancel broadcast';
export const cancelBroadcastQuestion = 'Cancel this broadcast?';
export const cancelBroadcastConsequence = 'It won’t be sent, and you can’t restore it.';
export const keepBroadcast = 'Keep it';
export const canceling = 'Canceling…';

// state
export const broadcastTargetsLimit = 'Up to {chatCount} chats. Use a group to reach more.';
