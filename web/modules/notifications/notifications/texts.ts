// badge
export const unreadLabel = 'unread';

// module
export const notifications = 'Notifications';

// notification-list
export const twoNames = '{firstName} and {secondName}';
export const andOthers = ' and {otherCount}';
export const unreadSuffix = '. Unread';

// preferences
export const newPosts = 'New posts';
export const newPostsHint = 'From creators you follow, grouped daily';
export const messageRequests = 'Message requests';
export const acceptedRequestHint = 'When a creator accepts your request';
export const onlineNow = 'Online now';
export const onlineNowHint = 'At most every 6 hours per creator';
export const messages = 'Messages';
export const messagesHint = 'Unread message count';
export const calls = 'Calls';
export const callsHint = 'Incoming and missed calls';
export const messageRequestsHint = 'When fans ask to message you';
export const tips = 'Tips';
export const groupedDaily = 'Grouped daily';
export const chatUnlocks = 'Chat unlocks';
export const postUnlocks = 'Post unlocks';
export const newSubscribers = 'New subscribers';
export const endedSubscriptions = 'Ended subscriptions';
export const push = 'Push';
export const email = 'Email';
export const money = 'Money';
export const moneyHint = 'Deposits, refunds, renewals, payouts and payout methods. Always on';
export const loginAndSecurity = 'Login and security';
export const loginAndSecurityHint = 'Password, two-factor authentication, new devices. Always on';
export const notification = 'Notification';
export const notificationSettings = 'Notification settings';
