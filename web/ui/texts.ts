// age-notice
export const confirmAdult = 'I’m 18 or older';
export const leave = 'Leave';
export const ageNotice = 'Age notice';
export const adultsOnlyNotice = '{age} For adults only.';

// bubble
export const sendingStatus = 'Sending';
export const sent = 'Sent';
export const delivered = 'Delivered';
export const read = 'Read';
export const notSent = 'Not sent';
export const message = 'Message';

// button
export const paying = 'Paying…';

// crop-dialog
export const visibleAreaHint = 'Visible area. Use the arrow keys to move it.';
export const zoom = 'Zoom';
export const photoPreviewError = 'Your browser can’t show this photo. We’ll use its center.';
export const openingPhoto = 'Opening photo…';
export const cancel = 'Cancel';

// dialog
export const close = 'Close';
export const working = 'Working…';

// field
export const ofLimit = 'of';

// gallery
export const galleryOfPrimitives = 'Gallery of primitives';
export const allPrimitives = 'All primitives, {theme}';

// inline-error
export const learnMore = 'Learn more';

// label
export const verified = 'Verified';
export const yours = 'Yours';

// local-time-field
export const yourTimeZone = 'Your time zone is {zone}.';
export const zonedTime = '{time} ({zone}){ahead}.';
export const zonedTimeWithUtc = '{time} ({zone}), {utcTime} UTC{ahead}.';
export const skippedTimeHint = 'This time doesn’t exist because of daylight saving time.';
export const repeatedTimeHint = 'This time occurs twice because of daylight saving time. We’ll use the first.';
export const skippedOnDay = '{time} doesn’t exist on {day}, when clocks go forward.';
export const repeatedOnDay = '{time} occurs twice on {day}, when clocks go back.';

// logo
export const stagedoor = 'Stagedoor';

// menu
export const connectionError = 'No connection. Try again.';

// pager
export const itemsPerPage = 'Items per page';
export const loadingProgress = 'Loading…';
export const loadMore = 'Load more';
export const show = 'Show';

// password-field
export const hidePassword = 'Hide password';
export const showPassword = 'Show password';

// picture
export const noImage = 'No image found';

// record
export const decision = 'Decision';
export const messagePreview = 'Message preview';
export const sendingProgress = 'Sending…';
export const selectAnOption = 'Select an option';
export const recordedInAuditLog = 'Recorded in the audit log with your name and reason.';
export const sendShortcut = '{modifierKey} {enterKey} Send';

// search-form
export const search = 'Search';

// shell
export const skipToContent = 'Skip to content';
export const more = 'More';
export const mainNavigation = 'Main';
export const stagedoorHome = 'Stagedoor, home';

// stat
export const when = 'When';
export const amount = 'Amount';

// states
export const genericError = 'Oops, there is an error!';
export const tryAgain = 'Try again?';
export const trying = 'Trying…';
export const requestReference = 'Reference {requestId}';
export const loading = 'Loading';

// toaster
export const dismiss = 'Dismiss';
export const messages = 'Messages';

// token-field
export const removeToken = 'Remove {token}';

// visitor-shell
export const logIn = 'Log in';
export const legalTexts = 'Texts';

// zoned-time
export const inLessThanAMinute = 'in less than a minute';
export const inAMinute = 'in a minute';
export const inMinutes = 'in {minutes} minutes';
export const inAnHour = 'in an hour';
export const inHours = 'in {hours} hours';
export const inDays = 'in {days} days';
