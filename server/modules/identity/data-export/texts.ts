// account-parts
export const accountExportDescription = 'Your account details.';

// html
export const utcTime = '{time} UTC';
export const yourData = 'Your data';

// service
export const enterPasswordAgain = 'Enter your password again.';
