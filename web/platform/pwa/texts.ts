// install
export const tapShare = 'Tap Share';
export const inSafarisToolbar = 'In Safari’s toolbar';
export const addToHomeScreen = 'Add to Home Screen';
export const scrollDownToFindIt = 'Scroll down to find it';
export const tapAdd = 'Tap Add';
export const atTheTopRight = 'At the top right';
export const openTheMenu = 'Open the menu';
export const menuLocationHint = 'The three dots next to the address bar';
export const tapInstall = 'Tap Install';
export const installWordingHint = 'It may say Add app to Home screen';
export const done = 'Done';
export const opensStraightToYourChats = 'Opens straight to your chats';
export const fullScreenNoAddressBar = 'Full screen, no address bar';
export const callsRingLikePhoneCalls = 'Calls ring like phone calls';
export const evenWhenStagedoorIsClosed = 'Even when Stagedoor is closed';
export const worksOffline = 'Works offline';
export const readWhatYouLastViewed = 'Read what you last viewed';
export const requiresSafari = 'This requires Safari. Open Stagedoor there first, then:';
export const inFirefox = 'In Firefox:';
export const add = 'Add';
export const linkCopiedHint = 'Copied. Open Safari and paste it there.';
export const copyLinkForSafari = 'Copy link for Safari';
export const logInAgainHint = 'You’ll need to log in again.';
export const getTheApp = 'Get the app';
export const getTheAppHint = 'Opens in one tap. Calls ring like phone calls.';
export const showMe = 'Show me';
export const hideForAMonth = 'Hide this for 30 days';
export const installStagedoor = 'Install Stagedoor';
export const freeNoAppStoreNeeded = 'Free, no app store needed';
export const installNow = 'Install Now';
export const maybeLater = 'Maybe Later';

// pwa-overlay
export const updateAvailable = 'Update available';
export const later = 'Later';
export const update = 'Update';
