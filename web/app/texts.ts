// blocked-message
export const blockedAccountMessage = 'This account is blocked. Contact us and we’ll review it.';

// connection
export const offlineWaitingMessage = 'This page will open when you’re back online.';
export const offlineBlockedMessage = 'You can open this page when you’re back online.';
export const offlineSendMessage = 'Nothing will be sent until you’re back online.';
export const offlineNotice = 'You’re offline. {message}';
export const reconnecting = 'Reconnecting…';

// error-page
export const missingPageDocumentTitle = 'Not found · Stagedoor';
export const missingPageHeading = 'Not found';
export const missingPageTitle = 'Page not found';
export const goToHome = 'Go to the home page';
export const errorDocumentTitle = 'Error · Stagedoor';
export const error = 'Error';
export const stagedoorHome = 'Stagedoor, home';

// navigation-progress
export const openingPage = 'Opening {title}';
export const opening = 'Opening';

// not-found-content
export const missingPageHint = 'This page may have been removed, or the link may be wrong.';
export const searchCreators = 'Search creators';
export const searchPlaceholder = 'Search name, category or city';
export const seeAllPosts = 'See all posts';

// shell
export const balance = 'Available {amount}';
export const earned = 'Earned';
export const today = 'today';
export const javascriptOffNotice = 'JavaScript is off. You can browse, follow and unlock; everything else needs it.';

// visitor-frame
export const discover = 'Discover';
export const pricing = 'Pricing';
export const forCreators = 'For creators';
export const themes = 'Themes';
export const posts = 'Posts';
export const allPosts = 'All posts';
export const plans = 'Plans';
export const howItWorks = 'How it works';
export const howWeRankCreators = 'How we rank creators';
export const contact = 'Contact';
export const terms = 'Terms';
export const privacy = 'Privacy';
export const communityGuidelines = 'Community guidelines';
export const complaints = 'Complaints';
export const allPolicies = 'All policies';
export const thisAccountIsBlocked = 'This account is blocked';
export const contactUs = 'Contact us';
export const signUp = 'Sign up';
export const sessionExpiredNotice = 'Your session has expired. Log in to pick up where you left off.';
export const adultsAndPricesNote = 'For adults 18+. Prices in US dollars.';
