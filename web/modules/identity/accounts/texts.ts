// account-frame
export const onStagedoor = 'On Stagedoor';
export const homeLink = 'Stagedoor, home';

// availability
export const usernameUnavailable = 'This username is taken.';
export const emailExistsError = 'An account with this email already exists.';

// check-mail
export const confirmationLinkSent = 'We sent a link to {emailAddress}. Open it to confirm your email, then log in.';
export const emailMissingHint = 'Didn’t get it? Check your spam folder or resend the email.';
export const useADifferentEmail = 'Use a different email';
export const openTheTestMailbox = 'Open the test mailbox';

// code-field
export const authenticationCode = 'Authentication code';
export const authenticationCodeHint = 'From your authenticator app, or a recovery code.';
export const loginCodeHint = '6-digit code from your authenticator app, or a recovery code.';

// information-links
export const pricing = 'Pricing';
export const plans = 'Plans';
export const howItWorks = 'How it works';
export const howWeRankCreators = 'How we rank creators';
export const forCreators = 'For creators';
export const termsOfService = 'Terms of service';
export const privacyPolicy = 'Privacy policy';
export const communityGuidelines = 'Community guidelines';
export const allPolicies = 'All policies';
export const complaints = 'Complaints';
export const contactUs = 'Contact us';

// login-form
export const confirmEmailFirstError = 'Confirm your email first. We sent you a link when you signed up.';
export const cookiesBlockedError =
  'Your browser blocks cookies for this site. Allow them in its settings to log in, then try again.';
export const usernameOrEmail = 'Username or email';
export const password = 'Password';
export const loggingIn = 'Logging in…';
export const continueButton = 'Continue';
export const logIn = 'Log in';
export const back = 'Back';
export const forgotPassword = 'Forgot password?';

// module
export const meTab = 'Me';
export const settings = 'Settings';
export const account = 'Account';

// password-form
export const passwordRequired = 'Please enter password';
export const incorrectPassword = 'Incorrect password';
export const currentPassword = 'Current password';
export const newPassword = 'New password';
export const saving = 'Saving…';
export const changePassword = 'Change password';

// password-reset
export const email = 'Email';
export const sending = 'Sending…';
export const resendLink = 'Resend link';
export const sendResetLink = 'Send reset link';
export const requestANewLink = 'Request a new link';
export const resetPassword = 'Reset password';

// profile-form
export const photoTooLarge = 'This photo is larger than {maxMegabytes} MB.';
export const saved = 'Saved.';
export const changePhoto = 'Change photo';
export const addPhoto = 'Add photo';
export const remove = 'Remove';
export const profilePhoto = 'Profile photo';
export const crop = 'Crop';
export const name = 'Name';
export const save = 'Save';

// referral-field
export const unknownReferralCode = 'We don’t recognize this code. You can still sign up.';
export const invitedBy = 'Invited by {inviterName}';
export const referralCodeQuestion = 'Have a referral code?';
export const referralCode = 'Referral code';
export const referralCodeHint = 'Optional. From the person who invited you.';

// resend-email-button
export const resendCountdown = 'Resend in {secondsLeft} s';
export const resendEmail = 'Resend email';

// session-list
export const thisDevice = 'This device';
export const lastSeen = 'Last seen {time}';
export const installedApp = '{activity} · installed app';
export const logOutDevice = 'Log out {device}';
export const logOutButton = 'Log out';
export const devices = 'Devices';
export const loggingOut = 'Logging out…';
export const logOutAllOtherDevices = 'Log out all other devices';

// signup-form
export const acceptTermsRequired = 'Confirm that you’re 18 or older and accept the terms.';
export const accountType = 'Account type';
export const fanAccount = 'I’m a fan';
export const creatorAccount = 'I’m a creator';
export const username = 'Username';
export const usernameAvailable = 'Username available';
export const acceptTermsLabel = 'I’m 18 or older and accept the {termsLink} and the {refundLink}.';
export const refundPolicy = 'Refund policy';
export const creatingAccount = 'Creating account…';
export const createAccount = 'Create account';
export const creatorSignupLead = 'Free to join. You set your prices and see what you’ll earn before you publish.';
export const fanSignupLead = 'Free to join. You only pay for what you unlock, and you always see the price first.';

// theme-switch
export const light = 'Light';
export const dark = 'Dark';
export const system = 'System';
export const theme = 'Theme';

// two-factor
export const qrCodeLabel = 'QR code for your authenticator app';
export const scanCodeInstruction = 'Scan this code with your authenticator app, or open it here:';
export const openInAuthenticatorApp = 'Open in authenticator app';
export const setupKey = 'Setup key: {secret}';
export const enterCodeInstruction = 'Enter the 6-digit code from the app.';
export const turnOn = 'Turn on';
export const copied = 'Copied.';
export const copyCodesError = 'Couldn’t copy. Select the codes and copy them.';
export const copy = 'Copy';
export const download = 'Download';
export const iveSavedMyCodes = 'I’ve saved my codes';
export const turnOff = 'Turn off';
export const twoFactorAuthentication = 'Two-factor authentication';
export const confirmYourPassword = 'Confirm your password';
export const firstStep = 'Step 1 of 3';
export const scanCodeTitle = 'Scan the code';
export const secondStep = 'Step 2 of 3';
export const otherDevicesLogoutNote = 'Turning this on logs you out of other devices.';
export const saveYourRecoveryCodes = 'Save your recovery codes';
export const thirdStep = 'Step 3 of 3';
export const recoveryCodesLead =
  'Use a code if you lose your authenticator. Each works once. You won’t see them again.';
export const turnOffQuestion = 'Turn off two-factor authentication?';
export const turnOffConsequence = 'You’ll only need your password to log in.';
export const twoFactorOn = 'On. You’ll need a code from your app to log in.';
export const twoFactorOff = 'Off. Turn it on to protect your account even if your password is stolen.';
export const twoFactorOffStaff =
  'Off. Your roles work once it’s on. You need the code of your invitation to set it up.';
export const invitationCode = 'Invitation code';
export const invitationCodeHint =
  'From your invitation email, or from the person who made you staff on the server. Valid for 48 hours.';
export const setUp = 'Set up';

// username-rules
export const usernameRules = 'Username rules';
