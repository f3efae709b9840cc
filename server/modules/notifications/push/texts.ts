// data-export
export const notificationSettings = 'Notification settings';
export const notificationSettingsExportDescription = 'Settings you changed from the default.';

// message
export const somethingNewForYou = 'Something new for you';
export const incomingCall = 'Incoming call';
export const someoneCalledYou = 'Someone called you';
