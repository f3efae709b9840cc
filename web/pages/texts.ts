// complaints
export const complaints = 'Complaints';
export const complaintsLead = 'Report illegal or harmful content. We reply within 7 business days.';
export const complaintsIntro =
  'Report content that’s illegal, stolen or shows you without your consent. No account needed. We reply within 7 business days and remove illegal content right away.';
export const complaintReceived = 'Complaint received';
export const saveReferenceHint = 'Save this reference number. We’ve also emailed it to you.';
export const checkComplaintStatus = 'Check complaint status';
export const emailYouUsed = 'Email you used';

// confirm-mail
export const linkIncompleteRequestNewError =
  'This link is incomplete. Open it from the email again, or request a new one.';
export const confirmYourEmail = 'Confirm your email';
export const usernameOrEmail = 'Username or email';
export const newConfirmationEmailHint = 'We’ll send a new confirmation email.';
export const cannotBeEmpty = 'Cannot be empty';
export const thatDidntWork = 'That didn’t work.';
export const oneMoment = 'One moment…';
export const logIn = 'Log in';
export const confirmingYourEmail = 'Confirming your email…';
export const confirmEmail = 'Confirm email';

// consent
export const weveUpdatedOurTerms = 'We’ve updated our terms';
export const termsChangesHint = 'Please review the changes. You need to agree to continue.';
export const notNow = 'Not now';
export const saving = 'Saving…';
export const iAgree = 'I agree';

// contact-us
export const submit = 'Submit';
export const checkRequestStatus = 'Check request status';

// dmca-counter
export const counterNoticeSent = 'Counter-notice sent';
export const contentRestoreDates =
  'Unless they file a court action, your content will be restored between {restoreFrom} and {restoreBy}. We’ve also emailed you this.';
export const counterNotice = 'Counter-notice';
export const linkIncompleteOpenAgainError = 'This link is incomplete. Open it from the email again.';
export const claimantClaimsContent = '{claimant} claims the removed content: {url}';

// dmca-notice
export const copyrightNoticeDmca = 'Copyright notice (DMCA)';
export const copyrightNoticeLead = 'Report content that infringes your copyright. No account needed.';
export const copyrightNoticeIntro =
  'Report content that infringes your copyright. We review notices within 2 business days. Read {link} and how the person who posted it can respond. Knowingly false claims may make you liable for damages (17 U.S.C. 512(f)).';
export const howTheProcessWorks = 'how the process works';
export const noticeReceived = 'Notice received';
export const saveReferencesHint =
  'Save these reference numbers, one for each link. We review each link separately. We’ve also emailed them to you.';
export const checkNoticeStatus = 'Check notice status';

// forgot-password
export const resetPassword = 'Reset password';
export const setANewPassword = 'Set a new password';
export const forgotYourPassword = 'Forgot your password?';
export const resetLinkHint = 'Enter your email and we’ll send you a link to reset your password.';

// helpdesk
export const help = 'Help';
export const faq = 'FAQ';
export const searchHelp = 'Search help';
export const noResults = 'No results';
export const contactSupportHint = 'Contact support. We reply within 2 business days.';
export const contactSupport = 'Contact support';
export const yourSupportRequests = 'Your support requests';
export const supportRequest = 'Support request';

// home
export const forYou = 'For you';
export const newTab = 'New';
export const onlineNow = 'Online now';
export const following = 'Following';
export const discoverCreators = 'Discover creators';
export const categoryDescription =
  '{category} creators on Stagedoor: posts, chat and paid calls. You always see the price first.';
export const onlineCount = '{totalCount} online';
export const categories = 'Categories';
export const all = 'All';
export const noCreatorsMatchSearch = 'No creators match “{search}”.';
export const notFollowingAnyoneTitle = 'You’re not following anyone yet.';
export const upToPerMonth = 'Up to {price} a month';
export const freeTrial = 'Free trial';
export const noCreatorsToShow = 'No creators to show right now.';
export const seeAllCreators = 'See all creators';
export const searchCreatorsHint = 'Search name, category or city';
export const sortBy = 'Sort by';

// invitation
export const youreInvited = 'You’re invited';
export const namedInvitation = '{name} invites you';
export const invitationIntro =
  'Stagedoor is where creators share their work and connect with fans through posts, chat and calls.';
export const invitationTerms =
  'Joining is free. The person who invited you earns a share of our fee, never of what you pay or earn.';
export const signUpAsAFan = 'Sign up as a fan';
export const signUpAsACreator = 'Sign up as a creator';
export const browseFirst = 'Browse first';

// list-url
export const from = 'From';
export const to = 'To';
export const pages = 'Pages';
export const previous = 'Previous';
export const pageProgress = 'Page {currentPage} of {last}';
export const next = 'Next';

// login
export const passwordWithCodeHint = 'Enter your password again along with the code.';
export const welcomeBack = 'Welcome back';
export const sessionExpired = 'Your session has expired. Log in again.';

// notifications
export const notifications = 'Notifications';
export const unreadMessage = 'unread message';
export const andMore = ' and more';
export const inConversations = 'In {conversationCount}';
export const noUnreadNotifications = 'No unread notifications';
export const allCaughtUp = 'You’re all caught up.';
export const seeAllNotifications = 'See all notifications';
export const noNotificationsYet = 'No notifications yet';
export const noNotificationsHint = 'Activity on your account appears here.';
export const unread = 'Unread';
export const markAllAsRead = 'Mark all as read';
export const notificationSettings = 'Notification settings';

// post-player
export const postBy = 'Post by {name}';
export const previewTitle = 'Preview of {title}';
export const previewMention = 'the preview of {title}';
export const lockedPost = '{post}, locked,';

// post
export const titleByName = '{title} by {name}';
export const post = 'Post';
export const postDescription = '{name} on Stagedoor.';
export const missingPageTitle = 'Not found';
export const moreFrom = 'More from {firstName}';
export const allWithCount = 'All {totalCount}';
export const editThisPost = 'Edit this post';
export const reportThisPost = 'Report this post';

// profile-view
export const posts = 'Posts';
export const media = 'Media';
export const about = 'About';
export const profile = 'Profile';

// profile
export const photos = 'Photos';
export const videos = 'Videos';
export const audio = 'Audio';
export const profileDescription = '{name} on Stagedoor: posts, chat and calls.';
export const editProfile = 'Edit profile';
export const nameOnStagedoor = '{name} on Stagedoor';
export const reportThisProfile = 'Report this profile';
export const noPostsYet = 'No posts yet';
export const publishYourFirstPost = 'Publish your first post';
export const followToSeePostsHint = 'Follow {name} to see new posts first.';
export const mediaType = 'Media type';
export const nothingHereYet = 'Nothing here yet';

// referral
export const referrals = 'Referrals';
export const noFilteredResults = 'No results. Try different filters.';
export const showAll = 'Show all';
export const newestFirst = 'Newest first';
export const oldestFirst = 'Oldest first';
export const recentlyApproved = 'Recently approved';
export const oldestApproval = 'Oldest approved';
export const nameAToZ = 'Name, A to Z';
export const nameZToA = 'Name, Z to A';
export const group = 'Group';
export const status = 'Status';
export const noReferralSignUps = 'No one has signed up with your link yet.';
export const largestFirst = 'Largest first';
export const smallestFirst = 'Smallest first';
export const noWithdrawalsYet = 'No withdrawals yet.';
export const methodAvailableFrom = '{label} is available from {usableAt}.';
export const referralTerms =
  'Invite people and earn {creatorPercent}% of what each creator sells and {fanPercent}% of what each fan spends, for {months} months. It comes out of our fee. No one pays more and creators don’t earn less.';
export const available = 'Available';
export const commissionReversed =
  '{owed} of commission was reversed after you withdrew it because the sales were refunded. Your next commission covers it.';
export const moveToBalance = 'Move to balance';
export const withdraw = 'Withdraw';
export const payoutMethods = 'Payout methods';
export const minimumToMove = 'Minimum {minAmount} to move to your balance. ';
export const minimumToWithdraw = 'Minimum {minAmount} to withdraw, less a {feePercent}% fee.';
export const addPayoutMethodHint = 'Add a payout method to withdraw.';
export const withdrawals = 'Withdrawals';
export const lists = 'Lists';

// settings
export const account = 'Account';
export const subscriptions = 'Subscriptions';
export const yourMedia = 'Your media';
export const yourTeam = 'Your team';
export const nameAndPhoto = 'Name and photo';
export const loginDetails = 'Login details';
export const whoCanMessageYou = 'Who can message you';
export const hiddenLocations = 'Hidden locations';
export const embeds = 'Embeds';
export const embedsHint = 'Choose which sites can embed your posts, profile card and tip button.';
export const spendingLimits = 'Spending limits';
export const takeABreak = 'Take a break';
export const theme = 'Theme';
export const password = 'Password';
export const twoFactorAuthentication = 'Two-factor authentication';
export const devices = 'Devices';
export const legal = 'Legal';
export const teamsYoureOn = 'Teams you’re on';
export const blockedUsers = 'Blocked people';
export const yourData = 'Your data';
export const deleteAccount = 'Delete account';
export const logOut = 'Log out';

// signup
export const createYourAccount = 'Create your account';
export const keepYourTheme = 'Keep your theme';
export const keepYourThemeLead =
  'Sign up as a creator and your page has this theme from the start. You can change it anytime.';
export const fanHasNoThemeLead = 'Themes are for creators. Choose “I’m a creator” to keep yours.';
export const checkYourEmail = 'Check your email';

// success-mail
export const nothingToConfirm = 'Nothing to confirm';
export const confirmEmailInstructions =
  'To confirm your email, open the link we sent after you signed up. You can resend it from the login page.';
export const signUp = 'Sign up';
export const youreIn = 'You’re in';
export const emailConfirmedHint = 'Your email is confirmed. Log in to get started.';
export const emailConfirmedContinueHint = 'Your email is confirmed. Log in to continue where you left off.';

// theme-edit
export const themeEditor = 'Theme editor';
export const themeEditorDescription =
  'Try colors, fonts, corners and layouts on a sample creator page. Sign up to keep your theme.';

// theme-preview
export const preview = 'Preview';
export const phone = 'Phone';
export const desktop = 'Desktop';
export const previewDevice = 'Preview device';
export const light = 'Light';
export const dark = 'Dark';
export const previewMode = 'Preview mode';
export const follow = 'Follow';
export const share = 'Share';

// unsubscribe
export const unsubscribe = 'Unsubscribe';
export const unsubscribedHint =
  'You won’t get summary emails anymore. You’ll still get emails about payments and your account.';
export const unsubscribeConsequence =
  'In-app and push notifications won’t change. You’ll still get emails about payments and your account. You can turn summary emails back on in Notification settings.';
export const youreUnsubscribed = 'You’re unsubscribed';
export const unsubscribeQuestion = 'Unsubscribe from summary emails?';
export const goToStagedoor = 'Go to Stagedoor';
