// chat-media
export const photos = 'Photos';
export const videos = 'Videos';
export const voiceNotes = 'Voice messages';
export const files = 'Files';
export const viewedOnce = 'Viewed once';
export const voiceNoteWithDuration = 'Voice message, {duration}';
export const video = 'Video';
export const videoWithDuration = 'Video, {duration}';
export const openPurchase = 'Open {description}';
export const severalPhotos = 'Several photos';
export const downloadPurchase = 'Download {description}';
export const restoredToYourMedia = 'Restored to your media.';
export const undo = 'Undo';
export const hiddenFromYourMedia = 'Hidden from your media.';
export const hideMediaQuestion = 'Hide from your media?';
export const hideMediaConsequence =
  'It will be hidden from this list. You can still view it in chat, and the receipt stays in your wallet.';
export const hide = 'Hide';
export const hiding = 'Hiding…';
export const mediaOptions = 'Options for media from {name}';
export const receipt = 'Receipt';
export const noPurchasesOfThisType = 'No purchases of this type.';
export const showAllPurchases = 'Show all purchases';
export const noChatMediaTitle = 'Media you unlock in chat appears here.';
export const noChatMediaHint = 'You can view it here anytime.';
export const findCreators = 'Find creators';
export const mediaType = 'Media type';
export const all = 'All';

// chat
export const chat = 'Chat';
export const shareToChatHint = 'Select a chat to share to.';

// feed-filter
export const albums = 'Albums';
export const audio = 'Audio';

// feed-rail
export const followingLink = 'Following{count}';
export const youMightLike = 'You might like';
export const onlineNow = 'Online now';

// feed
export const creators = 'Creators';
export const feed = 'Feed';
export const loading = 'Loading';
export const noPostsOfKind = 'No {kind} from creators you follow.';
export const showAllPosts = 'Show all posts';
export const yourFeedIsEmpty = 'Your feed is empty';
export const emptyFeedHint = 'Follow creators to see their new posts.';
export const feedEnd = 'You’ve reached the end.';
export const seenAllPostsSince = 'You’ve seen all posts since {date}.';
export const reportThisPost = 'Report this post';
export const caughtUp = '{leadingLine}You’re all caught up{trailingLine}';

// follow
export const online = 'Online';
export const muted = 'Muted';
export const newestFirst = 'Newest first';
export const following = 'Following';
export const searchUsersYouFollow = 'Search people you follow';
export const searchByName = 'Search by name';
export const noFollowingMatches = 'No one you follow matches “{search}”.';
export const showEveryoneYouFollow = 'Show everyone you follow';
export const noMutedTitle = 'You haven’t muted anyone you follow.';
export const noMutedHint = 'People you mute can still message you. You just won’t get notified.';
export const noOnlineFollowingTitle = 'No one you follow is online.';
export const seeWhoIsOnline = 'See who is online';
export const emptyFollowingTitle = 'You’re not following anyone yet.';
export const sortBy = 'Sort by';

// index
export const newFromCreatorsYouFollow = 'New from creators you follow';
export const nothingHereYet = 'Nothing here yet';
export const viewFeed = 'View feed';
export const manyUnreadMessages = 'More than {unreadMessageCount}';
export const unreadMessage = 'unread message';
export const welcomeBack = 'Welcome back, {firstName}';

// listing
export const offlineLoadHint = 'You’re offline. This will load when you’re back online.';
export const loadMoreError = 'Couldn’t load more.';
export const loadPageError = 'Couldn’t load this page.';
export const shownOfTotal = '{shownCount} of {total}{unit}';

// media
export const media = 'Media';
export const posts = 'Posts';
export const noPostPurchasesTitle = 'Posts you unlock appear here.';
export const noPostPurchasesHint = 'You can view them here anytime.';
export const yourMedia = 'Your media';

// payout-methods
export const payoutMethods = 'Payout methods';
export const gettingPaid = 'Getting paid';
export const payoutMethodsIntro = 'Your {link} earnings can be paid out here.';
export const referralLink = 'referral';

// wallet-receipt
export const wallet = 'Wallet';
export const print = 'Print';
export const viewCall = 'View call';
export const viewPost = 'View post';
export const viewProfile = 'View profile';

// wallet-return
export const payment = 'Payment';
export const stagedoorHome = 'Stagedoor, home';

// wallet
export const status = 'Status';
export const type = 'Type';
export const minimumAmount = 'Minimum amount';
export const anyAmount = 'Any amount';
export const noFilteredResults = 'No results. Try different filters.';
export const showAll = 'Show all';
export const addFunds = 'Add funds';
export const transactionsUnit = ' transactions';
export const noTransactionsYet = 'No transactions yet.';
export const noDepositsYet = 'You haven’t added funds yet.';
export const transactions = 'Transactions';
export const deposits = 'Deposits';

// subscriptions
export const subscriptionsTitle = 'Subscriptions';
export const endedSubscriptions = 'Ended';
export const noSubscriptions = 'You don’t subscribe to anyone yet.';
export const noSubscriptionsHint = 'Subscribe on a creator’s profile. You’ll see every charge here before it happens.';
export const renewingCount = '{count} renewing';
export const canceledCount = '{count} canceled';
