// device-list
export const deviceSince = 'Since {date}';
export const lastPush = 'Last push {time}';
export const noPushDevices = 'No devices receive push notifications.';
export const devicesWithPushNotifications = 'Devices with push notifications';
export const thisDevice = 'This device · {pushTime}';
export const removeDevice = 'Remove {name}';
export const remove = 'Remove';
export const removing = 'Removing…';
export const removeAllOtherDevices = 'Remove all other devices';
export const removeAllDevices = 'Remove all devices';

// lock-screen
export const stagedoor = 'Stagedoor';
export const somethingNewForYou = 'Something new for you';
export const lockScreenPreview = 'Lock screen preview: {title}. {body}';
export const now = 'now';

// mute-button
export const toggleCreatorNotifications = 'Turn {state} notifications from {name}';
export const toggleStateOff = 'off';
export const toggleStateOn = 'on';
export const turnOnNotifications = 'Turn on notifications';
export const turnOffNotifications = 'Turn off notifications';

// push-prompt
export const newPostsFromCreators = 'New posts from creators you follow';
export const newMessages = 'New messages';
export const newLogins = 'New logins';
export const incomingCallsUse = 'Incoming calls, even when Stagedoor is closed';
export const newMessageRequests = 'New message requests';
export const turnOnNotificationsQuestion = 'Turn on notifications?';
export const showMeHow = 'Show me how';
export const notNow = 'Not now';
export const enableSafariNotifications = 'Enable Safari Notifications';
export const enableNotifications = 'Enable Notifications';
export const cancel = 'Cancel';
export const turnOn = 'Turn on';
export const installPromptLead = 'Add Stagedoor to your Home Screen to get notifications for:';
export const permissionPromptLead = 'Your browser will ask for permission. We’ll notify you about:';
export const pushPrivacyNote = 'Private by default: no names or amounts on your lock screen. No ads.';
export const turningOn = 'Turning on…';

// settings
export const missingTimeError = 'Enter a time';
export const sampleCreatorTitle = 'Someone you follow';
export const sampleMessageBody = 'Message preview';
export const sampleTipTitle = 'A fan tipped you';
export const pushOnMessage = 'Push notifications are on for this device.';
export const pushPermissionHint = 'Your browser will ask for permission.';
export const pushBlockedHint = 'Notifications are blocked. Allow them in your browser settings, then turn this on.';
export const installFirstHint =
  'Add Stagedoor to your Home Screen first: tap Share, Add to Home Screen, Add. Then open it there.';
export const pushUnsupportedHint =
  'This browser doesn’t support push notifications. You’ll still see them here and by email.';
export const pushNotificationsOnThisDevice = 'Push notifications on this device';
export const quietHours = 'Quiet hours';
export const pausePushNotificationsOvernight = 'Pause push notifications overnight';
export const quietHoursHint = 'You’ll see everything in the morning. Calls and security alerts still come through.';
export const quietHoursFrom = 'From';
export const quietHoursUntil = 'Until';
export const timeZoneNote = 'Time zone: {timeZone}';
export const switchTimeZone = 'Use {timeZone}';
export const pushNotifications = 'Push notifications';
export const maximumPerHour = 'Maximum per hour';
export const hourlyLimitHint = 'Calls and security alerts don’t count.';
export const notificationCount = '{count} notifications';
export const lockScreen = 'Lock screen';
export const hideContentOnLockScreen = 'Hide content on lock screen';
export const lockScreenHint = 'No names, amounts or message text on your lock screen.';
