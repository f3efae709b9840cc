// become-creator
export const becomeACreator = 'Become a creator';
export const becomeCreatorDescription =
  'Publish your work, set your prices and take calls when you want. See exactly what you keep.';
export const heroTitle = 'Keep {share} of every {total}.';
export const heroLead = 'Publish your work, set your prices and take calls when you want. {feeSummary}';
export const heroNewCreatorFee = 'For your first {days} days we take {fee}%. After that {generalFee}%.';
export const heroFee = 'We take {generalFee}%.';
export const calculateYourEarnings = 'Calculate your earnings';
export const callsBilledByTheSecond = 'Calls, billed by the second';
export const callsOfferDetail = 'Audio or video. You set the rate and the hours.';
export const posts = 'Posts';
export const postsOfferDetail = 'Photos, albums, video or audio, free or paid.';
export const chatMedia = 'Chat media';
export const chatMediaOfferDetail = 'Paid media sent to one fan or everyone.';
export const tips = 'Tips';
export const tipsOfferDetail = 'In chat, on a post or during a call.';
export const fourWaysToEarn = 'Four ways to earn';
export const fromSaleToPayout = 'From sale to payout';
export const rightAway = 'Right away';
export const saleStepTitle = 'A fan unlocks your post';
export const saleStepDetail = '{price} leaves their balance. It’s prepaid, so it can’t bounce.';
export const theSameSecond = 'The same second';
export const pendingStepTitle = 'You see {share}';
export const pendingStepDetail = 'It’s pending until it clears. Our fee of {fee} is shown separately.';
export const clearingStepTime = 'After {clearingDays} days';
export const clearingStepTitle = 'It clears';
export const clearingStepDetail = 'It’s available in full.';
export const payoutStepTime = 'When you request it';
export const youGetPaid = 'You get paid';
export const payoutStepDetail = 'To your bank or PayPal from {payoutMinimum}, in crypto from {cryptoMinimum}.';
export const creatorsOnStagedoor = 'Creators on Stagedoor';
export const firstSteps = 'First steps';
export const firstStepsLead = 'You can explore before you publish.';
export const createYourAccount = 'Create your account';
export const createAccountDetail = 'An email address and a password.';
export const verifyYourIdentity = 'Verify your identity';
export const verifyIdentityDetail =
  'Upload an ID and a selfie. We review them within {answerDays} business days and never show them to fans.';
export const setYourPrices = 'Set your prices';
export const setPricesDetail = 'A rate for calls, a price for posts. You can change them anytime.';
export const publishThreePosts = 'Publish three posts';
export const firstPostsDetail = 'One free and two paid is a good start.';
export const turnOnCalls = 'Turn on calls';
export const turnOnCallsDetail = 'Turn calls on when you’re free. Turn them off and no one can call.';
export const twoFeesTitle = 'Two fees to remember: {fee}%, then';
export const oneFeeTitle = 'One fee to remember:';
export const yourFees = 'Your fees';

// calculate-income
export const followersRangeError = 'Between 1 and 10,000,000';
export const payingShareRangeError = 'Between 0.01 and 100';
export const spendRangeError = 'Between $1.00 and $1,000.00';

// calculator
export const incomeHere = 'You keep here, {period}at {fee}%';
export const newCreatorPeriod = 'first {days} days, ';
export const otherPlatformIncome = '{platform} leaves you, at {percent}%{conditions}';
export const totalPaidByFans = 'Total paid by fans';
export const yourShare = 'You keep';
export const feeComparison =
  '{opening} fee is {generalFee}%, and you keep {netIncome}{comparison}. No setup fee, no monthly fee. Other platforms’ fees are as published in {checkedMonth} ({sources}) and may have changed.';
export const feeFromDay = 'From day {day} our';
export const feeFromStart = 'Our';
export const samePlatforms = ': the same as at {platforms}';
export const calculatorLead = 'Estimate one month with your own numbers.';
export const yourFollowers = 'Your followers';
export const payingFansPercent = '% who pay';
export const averageSpendPerFan = 'Average spend per fan';
export const calculate = 'Calculate';

// discovery
export const howWeRankCreators = 'How we rank creators';
export const rankingDescription = 'How creators are ranked. No paid placement, and spots reserved for new creators.';
export const section = 'Section';
export const whatItShows = 'What it shows';
export const howItsOrdered = 'How it’s ordered';
export const featuredCreators = 'Featured creators';
export const featuredCreatorsContent =
  'Creators who are online. If there are fewer than eight, we add others from Discover creators who take calls';
export const featuredCreatorsOrder = 'By followers. A filled dot means online, an empty dot means offline';
export const leadPosts = 'Lead posts';
export const leadPostsContent = 'The first free photo post of Latest posts, and its first paid post';
export const newestFirst = 'Newest first';
export const latestPosts = 'Latest posts';
export const latestPostsContent =
  'The {creatorCount} creators who published most recently, with one of their latest {postCount} posts each';
export const latestPostsOrder =
  'Newest first. One in {interval} is a paid post and shows a blurred preview only. Creators without a free post get those spots first. The widest photos are shown wide';
export const sampleCall = 'Sample call';
export const sampleCallContent = 'The first featured creator who takes calls and has a cover photo';
export const sameAsFeaturedCreators = 'Same as featured creators';
export const categoryPhoto = 'Category photo';
export const categoryPhotoContent = 'The cover photo of a creator in that category who has published';
export const byFollowers = 'By followers';
export const discoverCreators = 'Discover creators';
export const allCreators = 'All creators';
export const discoverCreatorsOrder = 'By followers, with spots reserved for new creators';
export const rankingLead = 'No paid placement, no promotion, no personalization based on what you view.';
export const theLists = 'The lists';
export const listsCaption = 'The lists and their rules';
export const list = 'List';
export const newLabel = 'New';
export const onlineNow = 'Online now';
export const onlineNowContent = 'Creators who are online and have published';
export const categoryList = 'Category';
export const categoryListContent = 'Creators in that category';
export const search = 'Search';
export const searchContent =
  'Creators with each of the first {maxTerms} words you type in their name, profession, city, category or bio, in any order. A word also matches the start of a longer word and, from three letters, any part of one. Accents and capitals are ignored. If nothing matches, we correct small typos and also show creators who match only some of the words';
export const searchOrder =
  'Creators with your rarest word itself, or with the most common word that starts with it. Then those with it inside another word, then those with only some of your words. Each group by followers, in steps that double; within a step, newest first';
export const allPosts = 'All posts';
export const allPostsContent = 'Posts from all creators';
export const allPostsOrder = 'Newest first, free and paid';
export const yourFeed = 'Your feed';
export const yourFeedContent = 'Posts from creators you follow';
export const theHomePage = 'The home page';
export const homeSectionsLead = 'Every section that shows creators, from top to bottom, as visitors see it.';
export const homeSectionsCaption = 'Sections of the home page and their rules';
export const spotsForNewCreators = 'Spots for new creators';
export const newCreatorSpots = 'One in {interval} spots on the home page goes to a new creator.';
export const newCreatorRules =
  'A new creator joined in the last {days} days, is verified, has published something, and has at most {followers} followers. At most {maxCreators} get a spot each day. They are picked at random every day.';
export const whatWeNeverUse = 'What we never use';
export const neverUseMoney = 'Money: what a creator earns, charges or pays us.';
export const neverUseLooks = 'Looks, wording or AI scores.';
export const neverUseHistory = 'What you viewed, liked or unlocked.';
export const browseCreators = 'Browse creators';
export const howItWorks = 'How it works';

// how-works
export const howItWorksDescription = 'How Stagedoor works for fans and creators, in four steps each.';
export const lookAround = 'Look around';
export const lookAroundDetail =
  'Browse profiles and free posts without an account. Locked posts show a blurred preview, what’s inside and the price.';
export const addFundsOnce = 'Add funds once';
export const addFundsDetail =
  'One credit costs {creditPrice} and is {creditValue} of balance. You enter your card on our processor’s page, never here. You can spend up to {dailyLimit} a day.';
export const unlockWhatYouLike = 'Unlock what you like';
export const unlockDetail =
  'The price is on the button, with your balance before and after. One tap and you keep it as long as you have an account. Or subscribe to a creator: you see each charge and its date first, and cancel in one step.';
export const talkFaceToFace = 'Talk face to face';
export const talkDetail =
  'Message, tip or call creators when they’re online. Calls are billed by the second while you’re both connected, and are free under {freeSeconds} seconds.';
export const generalFeeTerms = 'We keep {generalFee}%';
export const newCreatorFeeTerms = 'We keep {fee}% for your first {days} days and {generalFee}% after that';
export const verificationDetail =
  'Create an account, upload an ID and a selfie, and sign the agreement. We review it within {answerDays} business days.';
export const publishYourWork = 'Publish your work';
export const publishWorkDetail =
  'We prepare your photos, video and audio for every screen. You choose what’s free, set a price for the rest and open posts to subscribers with up to five tiers. You can restore deleted media for {restoreDays} days.';
export const turnOnCallsAndChat = 'Turn on calls and chat';
export const callsAndChatDetail =
  'Set your price per minute, when you can be called and who can message you, and go online or offline anytime.';
export const getPaid = 'Get paid';
export const getPaidDetail =
  '{feeTerms}, shown for each sale. Sales clear after {clearingDays} days. You can request a payout from {payoutMinimum}.';
export const howItWorksTitle = 'Four steps for fans, four for creators';
export const creatorStepsLead = 'From your first post to your first payout';
export const fanStepsLead = 'From browsing to talking face to face';
export const forWhom = 'For whom';
export const forFans = 'For fans';
export const forCreators = 'For creators';
export const readyToStart = 'Ready to start?';
export const readyToExplore = 'Ready to explore?';

// marketing-parts
export const onThisPage = 'On this page';

// other-platforms
export const feesCheckedMonth = 'October 2025';
export const platformFeeConditions = 'pages created after August 4, 2025; card processing not included';

// plans
export const plansForCreators = 'Plans for creators';
export const plansDescription = 'Our fee and what’s included. No monthly fee.';
export const afterThat = 'After that';
export const shareOfSale = 'What you keep from a sale';
export const aFanPays = 'A fan pays';
export const yourPage = 'Your page';
export const yourPageDetail = 'Unlimited posts with photos, video and audio in every size.';
export const chatAndBroadcasts = 'Chat and broadcasts';
export const chatDetail = 'One to one, or broadcasts to all your followers.';
export const calls = 'Calls';
export const callsDetail = 'Audio and video, billed by the second, when it suits you.';
export const reporting = 'Reporting';
export const reportingDetail = 'Itemized sales, statements for any period and a verifiable ledger.';
export const protection = 'Protection';
export const protectionDetail = 'Watermarks, message controls, blocking and human moderation.';
export const payoutTerms = 'Payout terms';
export const step = 'Step';
export const payoutTermsColumn = 'Terms';
export const salesClear = 'Sales clear';
export const clearingTime = 'after {clearingDays} days';
export const bankOrPaypal = 'Bank or PayPal';
export const payoutFrom = 'from {payoutMinimum}';
export const crypto = 'Crypto';
export const newPayoutMethod = 'New payout method';
export const coolingTime = 'usable after {coolingHours} hours';
export const payoutFee = 'Payout fee';
export const referralShare = 'You earn {referralPercent}% of what they sell or spend';
export const creatorReferralShare = 'Refer a creator and earn {referralPercent}% of what they sell';
export const fanReferralShare = 'Refer a fan and earn {referralPercent}% of what they spend';
export const separateReferralShares = '{creatorReferral}. {fanReferral}; each';
export const referSomeone = 'Refer someone';
export const referralIntro = '{shares} for {duration}. Paid from our fee, never from a creator’s share.';
export const referralWithdrawal =
  'You can withdraw from {minimumAmount} for a fee of {feePercent}%, or move it to your own balance for a fee of {moveFeePercent}%.';
export const simplePricing = 'Simple pricing';
export const onePlanOneFee = 'One plan, one fee';
export const plansLead = '{feeSummary}. No monthly fee, nothing to choose, nothing to cancel.';
export const newCreatorFeeSummary = '{fee}% for your first {days} days, {generalFee}% after that';
export const generalFeeSummary = '{generalFee}%, from your first sale';
export const shareTitle = 'What you keep';
export const shareDetail = 'From every sale: posts, chat media, calls and tips.';
export const includedInBoth = 'Included in both';
export const whatsIncluded = 'What’s included';
export const includedInEveryPlan = 'Included in every plan';
export const feature = 'Feature';
export const details = 'Details';
export const saleFeeNote = 'Each sale keeps the fee that applied when it was made.';

// policies
export const legal = 'Legal';
export const policiesLead = 'All policies, versions and changes.';
export const policiesDescription = 'All our policies, with previous versions and what changed.';

// policy-text
export const currentVersionMark = ', current';
export const versions = 'Versions';

// policy
export const missingPage = 'Not found';
export const outdatedVersion = 'This is the version of {date}, which is no longer in effect. {link}';
export const currentVersion = 'Current version';
export const effectiveDate = 'Effective {date}.';

// pricing
export const pricing = 'Pricing';
export const pricingDescription = 'Credits, creator prices, calls, refunds and limits.';
export const callPerMinute = 'Call (per minute)';
export const credits = 'Credits';
export const youGet = 'You get';
export const feeColumn = 'Fee';
export const youPay = 'You pay';
export const fromTheFirstDay = 'From the first day';
export const firstDaysFee = 'First {days} days';
export const creditRate =
  'One credit is {creditValue} of balance and costs {creditPrice}. The difference is the card fee.';
export const creatorPrices = 'Creator prices';
export const creatorPricesLead = 'Creators set prices within these limits. You pay exactly what you see.';
export const priceFrom = 'From';
export const priceTo = 'To';
export const subscriptionPerMonth = 'Subscription (week or month)';
export const subscriptions = 'Subscriptions';
export const subscriptionsLead =
  'Each creator sets tiers with their own prices. You see today’s charge, the next one and its date before you subscribe.';
export const subscriptionRules = 'Subscription rules';
export const ruleColumn = 'What happens';
export const renewal = 'Renewal';
export const renewalRule =
  'From your balance or by card, at the same price each time. We remind you before larger, yearly and first charges.';
export const cancellation = 'You cancel';
export const cancellationRule = 'One step, at any time. You keep access until the end of the period you paid for.';
export const trial = 'Free trial';
export const trialRule = 'Up to {days} days, set by the creator. Cancel before it ends and you pay nothing.';
export const failedRenewal = 'Not enough balance';
export const failedRenewalRule = 'We try again for {days} days while you keep access. Then the subscription ends.';
export const priceChange = 'The price changes';
export const priceChangeRule =
  'A lower price applies from the next renewal. A higher one only after 30 days, and only if you accept it.';
export const subscriptionRefund = 'You change your mind';
export const subscriptionRefundRule = 'Full refund within {hours} hours of a charge if you opened nothing since.';
export const freeContentNote = 'Following is free, and so are posts without a price.';
export const callBillingLead =
  'You’re only billed while you’re both connected. Calls under {freeSeconds} seconds are free. For example, at {rate} a minute:';
export const callExamplesCaption = 'Calls at {rate} a minute';
export const callLength = 'Call length';
export const initialHold = 'On hold at the start';
export const releasedHold = 'Released';
export const callHoldNote =
  'We hold the price of {holdMinutes} minutes when the call starts, then one minute at a time. You’ll get a warning at {warningTime} before your balance runs out, and then the call ends.';
export const refunds = 'Refunds';
export const refundsLead =
  'Unused call funds are released automatically. For anything else, contact us with your receipt.';
export const refundRules = 'Refund rules';
export const situation = 'Situation';
export const refundColumn = 'Refund';
export const refundTime = 'When';
export const shortCall = 'Call under {freeSeconds} seconds';
export const shortCallRefund = 'All of it. You pay {amount}.';
export const droppedCall = 'Dropped call';
export const droppedCallRefund = 'Every second you weren’t both connected, and unused held funds.';
export const brokenMedia = 'Post or chat media that doesn’t load';
export const brokenMediaRefund = 'The full price, to your balance.';
export const brokenMediaRefundTime = 'After we confirm it';
export const unauthorizedDeposit = 'Unauthorized deposit';
export const unauthorizedDepositRefund = 'The full amount, to your card.';
export const unauthorizedDepositRefundTime = 'After your card issuer confirms';
export const tip = 'Tip';
export const notRefundable = 'Not refundable';
export const neverRefunded = 'Never';
export const dislikedPost = 'A post you didn’t like';
export const dislikedPostRefund = 'Not refundable. You saw the preview and price first.';
export const reversedDepositNote =
  'If a deposit is reversed after you’ve spent it, you need to pay it back before you can spend again. Creators keep their earnings.';
export const contactUs = 'Contact us';
export const limits = 'Limits';
export const limitsHint = 'You can set a lower daily limit in Settings.';
export const minimum = 'Minimum';
export const maximum = 'Maximum';
export const deposit = 'Deposit';
export const dailySpending = 'Daily spending';
export const creatorPayout = 'Creator payout';
export const availableBalance = 'Available balance';
export const cryptoPayout = 'Crypto payout';
export const creatorFeesLead =
  'Our fee is deducted from each sale and shown separately. Sales clear after {clearingDays} days.';
export const feesForCreators = 'Fees for creators';
export const saleColumn = 'Of a {amount} sale';
export const pricingLead = 'You pay once to add funds and once to unlock. You always see the price first.';

// shared-theme
export const customTheme = 'Custom theme';
export const sharedThemeDescription = 'A theme for a creator’s page: {arrangement}, {contrastGrade} contrast.';
export const otherMode = 'Other mode';
export const lowestContrast = 'Lowest contrast';
export const changeThisTheme = 'Change it';
export const useThisTheme = 'Use this theme';
export const allThemes = 'All themes';

// theme-preview
export const applyThemeError = 'Couldn’t apply this theme.';

// theme-trial
export const tryATheme = 'Try a theme';
export const tryAThemeLead =
  'Change colors, fonts, corners and layout, and see them on a sample page. Sign up to keep your theme.';
export const haveAnAccount = 'I have an account';
export const startFromATheme = 'Start from a theme';
export const contrastInLightAndDark = '{grade} contrast in light and dark';
export const undo = 'Undo';
export const redo = 'Redo';
export const saveTheme = 'Save';
export const saveThemeHint = 'To save it, you create an account.';
export const lowContrastCannotSave = 'A color doesn’t have enough contrast';
export const samplePage = 'Sample page';
export const samplePageBio = 'This is a sample page. On yours are your pictures, your words and your posts.';
export const samplePageNote = 'The sample page shows public posts by {name}.';

// themes
export const themes = 'Themes';
export const themesDescription = 'Eight themes for your page, each tested for contrast in light and dark mode.';
export const currentTheme = 'Current theme';
export const changeTheme = 'Change {themeName}';
export const changeButton = 'Change';
export const themesTitle = 'Eight themes. One is yours.';
export const themesLead = 'Pick a theme and customize it. Every theme is tested for contrast in light and dark mode.';
export const makeItYours = 'Make it yours';
export const makeItYoursDetail =
  'Change colors, fonts, corners and layout. Prices and payment screens always look like Stagedoor, so fans know who they’re paying.';
export const openTheEditor = 'Open the editor';
export const tryButton = 'Try';
export const tryTheme = 'Try {themeName}';

// works
export const categoryPageTitle = '{category} · Posts';
export const worksDescription =
  'Posts from creators on Stagedoor{categoryPart}, newest first. You always see the price first.';
export const inCategory = ' in {category}';
export const noPostsYet = 'No posts yet';
export const seeAllPosts = 'See all posts';
export const emptyCategoryHint = 'No posts in this category so far. Load more to keep looking.';
export const worksLead = 'All posts, newest first. {priceHint}';
export const priceNote = 'You always see the price first.';
export const categories = 'Categories';
export const allCategories = 'All';
export const backToNewest = 'Back to newest';
