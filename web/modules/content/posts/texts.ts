// audience-selection
export const audienceChanged = '{posts} moved.';
export const audienceRestored = 'Restored.';
export const audienceUnchanged = 'These posts already have that audience.';
export const selectedCount = '{count} selected';
export const selectAllPaid = 'Select all paid';
export const cancel = 'Cancel';
export const whoCanOpenThem = 'Who can open them';
export const apply = 'Apply';
export const applying = 'Applying…';

// continue-watching
export const continueWatching = 'Continue watching';
export const timeLeft = '{duration} left';

// feed-entry
export const postTitleByName = '{title} by {authorName}';
export const post = 'Post';

// feed-media
export const video = 'Video';
export const lockedPriceState = ', locked, {price}';

// like-button
export const likeLabel = 'Like, {count} {unit}';
export const offlineLikeHint = 'You’re offline. We’ll send your like when you’re back.';

// module
export const feed = 'Feed';

// new-post-bar
export const newPost = 'New Post';
export const backToTop = 'Top';
export const close = 'Close';

// offline-feed
export const lockedMark = ', locked';
export const audio = 'Audio';

// own-post
export const pinnedConfirmation = 'Pinned to the top of your profile.';
export const unpinnedConfirmation = 'Unpinned.';
export const undo = 'Undo';
export const freeLabel = 'Free';
export const amountEarned = '{amount} earned';
export const edit = 'Edit';
export const pinToProfile = 'Pin to profile';
export const pinLimitReached = 'Pin to profile (unpin one of {maxCount} first)';
export const moveToFirst = 'Move to first';
export const unpin = 'Unpin';
export const deletePost = 'Delete post';
export const ownPostOptions = 'Options for {postName}';
export const selectPost = 'Select {postName}';
export const select = 'Select';
export const freeForEveryone = 'Free for everyone';

// post-card
export const severalPhotos = 'Several photos';
export const postByName = 'Post by {authorName}';
export const unlocked = 'Unlocked';
export const unlockedForPrice = 'Unlocked · {price}';
export const pinned = 'Pinned';
export const untitled = 'Untitled';

// post-contents
export const onceUnlocked = 'Once unlocked';
export const viewAnytime = 'View anytime';

// post-details
export const tags = 'Tags';
export const includedInSubscription = 'Included in your subscription';

// post-gallery
export const photo = 'Photo';
export const unlockedState = ', unlocked';

// post-media
export const blurredPostPreview = 'Blurred preview of {postName}';
export const viewFullScreen = 'View {description} full screen';
export const photoNumber = 'photo {number}';

// purchases
export const restoredConfirmation = 'Restored to your media.';
export const hiddenConfirmation = 'Hidden from your media.';
export const hideMediaQuestion = 'Hide from your media?';
export const hideMediaConsequence =
  '“{title}” will be hidden from this list. You can still view the post on its page, and the receipt stays in your wallet.';
export const hide = 'Hide';
export const hiding = 'Hiding…';
export const purchaseOptions = 'Options for “{title}”';
export const receipt = 'Receipt';

// share-menu
export const linkCopied = 'Link copied.';
export const embedCode = 'Embed code';
export const codeCopied = 'Code copied.';
export const tipButtonCode = 'Tip button code';
export const shareOptions = 'Share options';
export const copy = 'Copy';
export const embedThemeHint =
  'The embed follows the visitor’s light or dark mode. To set it, add {lightParameter} or {darkParameter} to its URL.';
export const shareVia = 'Share via…';
export const copyLink = 'Copy link';
export const embed = 'Embed';
export const tipCreator = 'Tip {creatorName}';
export const share = 'Share';

// subscribe-option
export const pricePerWeek = '{price}/week';
export const pricePerMonth = '{price}/month';
export const pricePerYear = '{price}/year';
export const subscribeToTier = 'Subscribe to {tierName}';
export const waysInHint = '{tierName} opens it while you subscribe. Unlocking keeps it for good.';

// tagged-users
export const removeMeFromPost = 'Remove me from this post';
export const removeTagQuestion = 'Remove yourself from this post?';
export const removeTagConsequence = 'Your tag is removed permanently. {authorName} can’t add it again.';
export const removeMe = 'Remove me';
export const taggedUsers = 'Tagged people';
export const withUsers = 'With';

// take-down-dialog
export const deletePostQuestion = 'Delete this post?';
export const deletePostConsequence = 'It’s removed from your profile and all feeds. Fans who unlocked it keep it.';

// unlock-button
export const unlock = 'Unlock';
export const unlockOfferNote = 'Fans unlock this for {price}.';
export const subscribeOfferNote = 'Fans open this with {tierName}, or unlock it for {price}.';
export const addFundsToUnlock = 'Add funds to unlock';
export const currentBalance = 'Available {amount}';
export const priceNote = 'Price {amount}';
export const balanceAfter = 'After: {amount}';

// ways-in
export const withTierOrPrice = 'With {tierName}, or {price}';
export const tierOrPrice = '{tierName}, or {price}';
