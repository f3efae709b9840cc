// access
export const incorrectPassword = 'Incorrect password.';

// account-break
export const takingBreakUntil = 'You’re taking a break until {endDate}. You can log in after that.';

// common-passwords
export const passwordMatchesUsernameOrEmail = 'Your password can’t be your username or email.';
export const passwordTooCommon = 'This password is too common. Choose a different one.';

// deletion
export const closedAccount = 'Closed account';

// device-label
export const deviceLabel = '{browser} on {system}';
export const unknownDevice = 'Unknown device';

// login
export const incorrectUsernameOrPassword = 'Incorrect username or password.';

// mail-tokens
export const linkExpiredError = 'This link has expired or is no longer valid. Request a new one.';

// password-change
export const enterCurrentPassword = 'Enter your current password.';
export const invitationCodeRequired = 'Enter the code of your invitation.';
export const invitationCodeInvalid = 'This code is incorrect, was used or has expired. Ask an owner for a new one.';
export const identityConfirmed = 'Confirmed. You can continue.';
export const passwordAlreadyChanged = 'Your password has already been changed. Log in again.';

// reauthentication
export const passwordChangedMeanwhile = 'Your password was just changed. Log in again.';

// registration
export const usernameUnavailable = 'This username is taken.';
export const emailAlreadyRegistered = 'An account with this email already exists.';
export const selectAccountType = 'Please select account type';
export const confirmAccountByEmail = 'Almost there! Check your email to confirm your account.';

// routes
export const confirmationEmailSent = 'If this account still needs confirming, we’ve sent an email.';
export const loggedOut = 'You’re logged out.';
export const resetLinkSent = 'If there’s an account with this email, we’ve sent a reset link.';
export const passwordResetDone = 'Password reset. You can log in now.';
export const passwordChanged = 'Password changed. Your other devices were logged out.';
export const deviceLoggedOut = 'Device logged out.';
export const notLoggedInElsewhere = 'You’re not logged in anywhere else.';
export const otherDevicesLoggedOut = 'Logged out of all other devices.';
export const twoFactorOff = 'Two-factor authentication is off.';

// two-factor
export const twoFactorAlreadyOn = 'Two-factor authentication is already on.';
export const twoFactorNotOn = 'Two-factor authentication isn’t on.';
export const codeIncorrectOrUsed = 'This code is incorrect or has already been used.';
export const twoFactorCodeRequired = 'Enter the 6-digit code or a recovery code';
export const startOver = 'Start over.';
