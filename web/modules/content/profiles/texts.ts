// editor/custom-links
export const otherLinks = 'Other links';
export const otherLinksHint = 'Add up to {max} links to your profile, such as a shop or a calendar.';
export const titleOfLink = 'Title of {linkName}';
export const urlOfLink = 'URL of {linkName}';
export const removeLink = 'Remove {linkName}';
export const addALink = 'Add a link';

// editor/embeds
export const anySite = 'Any site';
export const anySiteHint = 'Embeds show what any visitor can see';
export const onlySitesIChoose = 'Only sites I choose';
export const chosenSitesHint = 'Other sites can’t embed you';
export const noSite = 'No site';
export const noSiteHint = 'Links to you still show a preview image';
export const saved = 'Saved.';
export const addAtLeastOneSite = 'Add at least one site.';
export const sitesOnePerLine = 'Sites, one per line';
export const sitesExample = 'For example https://example.com';
export const saving = 'Saving…';
export const save = 'Save';

// editor/geo-blocks
export const previewFrom = 'Preview from {name}';
export const visibleToVisitors = 'Visitors there can see you.';
export const visitorViewTitle = 'What visitors there see';
export const missingPageTitle = 'Page not found';
export const missingPageHint = 'This page may have been removed, or the link may be wrong.';
export const hiddenLocationConsequence =
  'Your posts, media, chat and calls are hidden too, and you won’t appear in lists or search. Visitors aren’t told why. Fans keep what they’ve unlocked.';
export const hiddenLocations = 'Hidden locations';
export const noVisitorsBlockedYet = 'No visitors blocked yet';
export const visitorsBlocked = '{requestCount} blocked in the last {days} days';
export const previewAsVisitorFrom = 'Preview as a visitor from {name}';
export const preview = 'Preview';
export const showMeAgainIn = 'Show me in {name} again';
export const nowHiddenIn = 'You’re now hidden in {name}.';
export const hiddenLocationsHint =
  'Visitors from these {regionTypes} can’t see you. We use IP addresses, so this doesn’t stop people on a VPN.';
export const countriesAndStates = 'countries and states';
export const visibleAgainIn = 'You’re visible in {name} again.';
export const hideByLocationTitle = 'Hide your profile by location';
export const addLocation = 'Add location';
export const chooseALocation = 'Choose a location';
export const hide = 'Hide';

// editor/name-notice
export const nameUnderReview =
  'Your new name, {name}, is under review. You’ll get your verified badge back once it’s approved. Switch back to {verified} to keep it now.';
export const nameRefused = 'We couldn’t approve the name {name}: {reason}. You’re shown as {verified}.';

// editor/picture-picker
export const fileTooLargeError = '{name} is larger than {maxBytes}.';
export const preparingPhoto = 'Preparing photo';
export const profilePhoto = 'Profile photo';
export const crop = 'Crop';
export const sending = 'Sending…';
export const horizontal = 'Horizontal';
export const vertical = 'Vertical';
export const focusPoint = 'Focus point';
export const coverPhoto = 'Cover photo';
export const focusPercent = '{percentage} percent';
export const photos = 'Photos';
export const changePhoto = 'Change photo';
export const addPhoto = 'Add photo';
export const removeButton = 'Remove';
export const noCoverYet = 'No cover yet';
export const changeCover = 'Change cover';
export const addCover = 'Add cover';
export const removeCover = 'Remove cover';

// editor/profile-editor
export const classic = 'Classic';
export const hero = 'Hero';
export const box = 'Box';
export const round = 'Round';
export const oneColumn = 'One column';
export const grid = 'Grid';
export const linksSummary = 'Links{summary}';
export const linksHint = 'Enter your username or a full link.';
export const name = 'Name';
export const nameReviewHint = 'We review new names before showing the verified badge.';
export const whatYouDo = 'What you do';
export const craftExample = 'Ceramicist, dancer, chef';
export const city = 'City';
export const aboutYou = 'About you';
export const category = 'Category';
export const callSettingsHint = 'Set your call prices and hours in {link}.';
export const calls = 'Calls';
export const header = 'Header';
export const posts = 'Posts';

// editor/watermark
export const watermarkOn = 'Watermark on.';
export const watermarkOff = 'Watermark off.';
export const watermark = 'Watermark';
export const watermarkHint =
  'Adds the viewer’s username to paid photos so leaks can be traced. Videos aren’t watermarked.';

// creator-card
export const fromPerMonth = 'From {price}/month';
export const freeTrial = 'Free trial';

// following
export const undo = 'Undo';
export const unfollowedCreator = 'Unfollowed {name}.';
export const unfollow = 'Unfollow';
export const follow = 'Follow';
export const followedCreators = 'Followed creators';

// module
export const profile = 'Profile';

// profile-head
export const links = 'Links';
export const photosVideosAudio = 'Photos, videos, audio';
export const profileViews = 'Profile views';
export const readMore = 'Read more';
export const whatTheyDo = 'What they do';
export const noBioYet = '{name} hasn’t added a bio yet.';
