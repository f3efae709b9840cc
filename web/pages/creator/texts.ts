// calls
export const calls = 'Calls';
export const callHistory = 'Call history';

// card
export const printableQrCard = 'Printable QR card';
export const cardIntro = 'Print it for events or your shop. Scanning the code opens your profile.';
export const yourCard = 'Your card';
export const stagedoorBrand = '{logoMark} Stagedoor';
export const qrCodeAlt = 'QR code of {url}';
export const printCard = 'Print card';
export const linkCopied = 'Link copied.';
export const copyLink = 'Copy link';
export const downloadQrCode = 'Download QR code';
export const backToYourProfile = 'Back to your profile';

// chat
export const chat = 'Chat';

// dashboard
export const yesterdayAmount = '{amount} yesterday';
export const yesterdayComparison = '{amount} yesterday, {sign}{percent}% vs. same time';
export const today = 'Today';
export const earnedToday = 'Earned today';
export const salesToday = 'Sales today';
export const newFollowersToday = 'New followers today';
export const allTimeSummary = 'All time: {total} earned, {saleCount}, {followerCount}.';
export const clearingSchedule = 'Clearing schedule';
export const allEarnings = 'All earnings';
export const greeting = 'Hi {firstName}';

// earning
export const earnings = 'Earnings';
export const type = 'Type';
export const all = 'All';
export const dateRange = 'Date range';
export const allTime = 'All time';
export const noFilteredResults = 'No results. Try different filters.';
export const showAllPayouts = 'Show all payouts';
export const noPayoutsYet = 'No payouts yet.';
export const payouts = 'Payouts';
export const filterPayouts = 'Filter payouts';
export const status = 'Status';
export const whenRequested = 'When requested';
export const showAllTransactions = 'Show all transactions';
export const noSalesYet = 'No sales yet.';
export const noSalesHint = 'Tips, unlocks and calls appear here as soon as they’re paid.';
export const publishAPost = 'Publish a post';
export const transactions = 'Transactions';
export const feesAndPrices = 'Fees and prices';

// feed
export const selectPosts = 'Select';
export const yourPosts = 'Your posts';
export const published = 'Published';
export const scheduled = 'Scheduled';
export const drafts = 'Drafts';
export const deleted = 'Deleted';
export const noDeletedPosts = 'No deleted posts.';
export const noPostsYet = 'No posts yet';
export const noPostsHint = 'Make your first post free so visitors can see what you do.';
export const publishYourFirstPost = 'Publish your first post';
export const shownOfTotal = '{postCount} of {total}';
export const media = 'Media';
export const newPost = 'New post';

// fees
export const platformFee = 'Platform fee';
export const offerEndNote = 'Until {offerUntil}, then {generalFee}%';
export const shareOfEachSale = 'Share of each sale';
export const yourCustomRate = 'Your custom rate';
export const forAllCreators = 'For all creators';
export const introductoryRate = 'Introductory rate';
export const feeChangesNote = 'Fee changes don’t affect past sales. Each line in your {link} shows its fee.';
export const earningsLink = 'earnings';
export const callRateOff = 'Off';
export const priceSpan = '{min} to {max}';
export const yourPrices = 'Your prices';
export const videoCalls = 'Video calls';
export const voiceCalls = 'Voice calls';
export const chatMedia = 'Chat media';
export const changeCallPrices = 'Change call prices';

// followers
export const newestFirst = 'Newest first';
export const oldestFirst = 'Oldest first';
export const nameAToZ = 'Name, A to Z';
export const nameZToA = 'Name, Z to A';
export const followers = 'Followers';
export const sortBy = 'Sort by';
export const paidAmount = '{amount} paid';
export const noResults = 'No results';
export const noFollowersYet = 'No followers yet';
export const noNewFollowersInPeriod = 'No new followers in this period.';
export const showAllFollowers = 'Show all followers';
export const publishAFreePost = 'Publish a free post';

// media-detail
export const missingFileTitle = 'Not found';
export const viewFullScreen = 'View {name} full screen';
export const deleteFileError = 'Couldn’t delete this file. It may be in use.';
export const fileDeleted = 'Deleted.';
export const deleteButton = 'Delete';
export const deleteFileQuestion = 'Delete this file?';
export const deleteFileConsequence = 'It’s removed from your library now and permanently deleted after {days} days.';
export const deleting = 'Deleting…';
export const edit = 'Edit';
export const download = 'Download';

// media-edit
export const editFile = 'Edit file';
export const thumbnailUpdated = 'Thumbnail updated.';
export const chooseAFrame = 'Choose a frame';
export const freePreviewRange = 'From {start} to {end}.';
export const noFreePreviewYet = 'None yet.';
export const freePreviewHint = 'What everyone can watch or hear for free. {range}';
export const change = 'Change';
export const choose = 'Choose';
export const nothingToEdit = 'Nothing to edit.';
export const stillProcessing = 'Still processing.';
export const viewFile = 'View file';
export const thumbnail = 'Thumbnail';
export const cover = 'Cover';
export const freePreview = 'Free preview';

// media-uploads
export const removeUpload = 'Remove {name}';
export const upload = 'Upload';
export const filesToUpload = 'Files to upload';
export const uploading = 'Uploading';
export const uploadsPauseHint = 'Uploads will pause and resume when you come back.';

// media
export const noResultsForSearch = 'No results for “{search}”.';
export const noMatchingFiles = 'No matching files';
export const showAll = 'Show all';
export const noMediaYet = 'No media yet';
export const noMediaHint = 'Files you upload stay private until you publish or send them.';
export const createAPost = 'Create a post';
export const select = 'Select';

// next-steps
export const earnedAmount = '{amount} earned';
export const nextSteps = 'Next steps';
export const requestsToAnswer = '{messageRequestCount} to answer';
export const messageRequest = 'message request';
export const acceptToStartChatting = 'Accept to start chatting.';
export const manyUnreadMessages = 'More than {unreadMessageCount}';
export const unreadMessage = 'unread message';
export const unreadMessagesHint = 'Fans are waiting for a reply.';
export const latestPost = 'Latest post: {title}';
export const untitled = 'Untitled';

// post-add
export const scheduledPost = 'Scheduled post';
export const draft = 'Draft';
export const postPublished = 'Published.';
export const viewPost = 'View post';
export const scheduledFor = 'Scheduled for {time}.';

// post-edit
export const editPost = 'Edit post';
export const saved = 'Saved.';
export const deletePost = 'Delete post';

// post-preview
export const preview = 'Preview';
export const unlock = 'Unlock';

// preview-dialog
export const previewFrameTitle = '{access}, on a {deviceName}';
export const locked = 'Locked';
export const unlocked = 'Unlocked';
export const fanPreview = 'Fan preview';
export const viewAs = 'View as';
export const device = 'Device';
export const phone = 'Phone';
export const desktop = 'Desktop';

// profile
export const yourProfile = 'Your profile';
export const previewDevice = 'Preview device';
export const howOthersSeeYourProfile = 'How others see your profile';
export const follow = 'Follow';
export const share = 'Share';
export const theme = 'Theme';
export const viewAsVisitor = 'View as visitor';
export const settings = 'Settings';

// team
export const yourTeam = 'Your team';
export const teamIntro =
  'Team members use their own logins. Only you can manage your password, email, payouts, verification, blocks and team.';
export const activity = 'Activity';

// theme-editor
export const yourTheme = 'Your theme';
export const howOthersSeeYourPage = 'How others see your page';
export const noChangesYet = 'No changes yet';
export const draftSaved = 'Draft saved';
export const draftNotSavedYet = 'Draft not saved yet';
export const savingDraft = 'Saving draft…';
export const lowContrastNotSaved = 'Not saved: a color doesn’t have enough contrast';
export const saveDraftError = 'Couldn’t save your draft. We’ll retry with your next change.';
export const changedInAnotherWindow = 'Changed in another window';
export const loading = 'Loading…';
export const reload = 'Reload';
export const themeConflictNotice = 'Your theme was changed in another window. Reload to continue.';
export const themeLinkCopied = 'Theme link copied.';
export const undo = 'Undo';
export const redo = 'Redo';
export const trying = 'Trying…';
export const tryAgain = 'Try again';
export const seeYourPage = 'See your page';
export const publishing = 'Publishing…';
export const themePublished = 'Theme published.';
export const publish = 'Publish';
export const gallery = 'Gallery';
export const reset = 'Reset';
export const defaultThemeRestored = 'Default theme restored.';
export const restoreDefaultTheme = 'Use default theme';
export const yourPage = 'Your page';
export const contrastInLightAndDark = '{grade} contrast in light and dark';

// verification
export const verification = 'Verification';

// subscribers
export const subscribers = 'Subscribers';
export const editTiers = 'Edit tiers';
export const everyone = 'Everyone';
export const noSubscriberMatches = 'No one here right now.';
export const showAllSubscribers = 'Show all subscribers';
export const noSubscribersYet = 'No subscribers yet.';
export const noSubscribersHint =
  'Fans subscribe to a tier on your profile. Their renewals, payments and cancellations show up here.';
export const setUpTiers = 'Set up tiers';

// subscription-tiers
export const subscriptionTiers = 'Subscription tiers';
export const tiersIntro = 'Offer fans a subscription. You set what each tier includes and what it costs.';
export const addTier = 'Add tier';
export const tierLimitReached = 'You have {max} tiers, which is the maximum.';
export const noTiersYet = 'No tiers yet.';
export const noTiersHint =
  'Fans pay a tier by the week, month or year, and see the posts that you open to it. You can change prices later: existing subscribers are asked first.';
export const addFirstTier = 'Add your first tier';
export const viewSubscribers = 'Subscribers';
