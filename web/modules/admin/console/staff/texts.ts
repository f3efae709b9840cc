// staff-changes
export const sessionsEndedEntry = '{mention}: logged out everywhere';
export const codeSentEntry = '{mention}: new code for two-factor set-up sent';
export const noRole = 'no role';
export const roleChangeEntry = '{mention}: {before} to {after}';
export const staffChanges = 'Staff changes';
export const noRoleChangesYet = 'No role changes yet';

// staff-rows
export const roles = 'Roles';
export const staffInvited =
  '@{username} is invited. They get a code by email, and their roles work once they set up two-factor authentication.';
export const inviteStaff = 'Invite staff';
export const usernameLabel = 'Username';
export const inviteStaffHint = 'Use a fan account without transactions. It becomes a staff-only account.';
export const inviting = 'Inviting…';
export const invite = 'Invite';
export const staffRemoved = '@{username} is no longer staff.';
export const rolesChanged = 'Roles of @{username} changed. They need to log in again.';
export const sessionsEnded = '@{username} is logged out everywhere.';
export const changeRolesHint = 'Changing roles logs the person out. They and all owners get an email.';
export const saving = 'Saving…';
export const removeAllRoles = 'Remove all roles';
export const changeRoles = 'Change roles';
export const endingSessions = 'Ending…';
export const sendCode = 'Send a new code';
export const sendingCode = 'Sending…';
export const codeSent = 'Sent @{username} a new code for two-factor set-up. Earlier codes no longer work.';
export const logOutEverywhere = 'Log out everywhere';
export const noRoles = 'No roles';
export const staff = 'Staff';
export const youSuffix = ', you';
export const twoFactorOn = 'Two-factor on';
export const twoFactorOff = 'Two-factor off';
export const twoFactorAuthentication = 'Two-factor authentication';
export const offNoAccess = 'Off (roles not active)';
export const loggedIn = 'Logged in';
export const notLoggedIn = 'Not logged in';
export const lastSeen = 'Last seen';
export const canGiveSecondApproval = 'Can give second approval';
export const ownRolesHint = 'Only another owner can change your roles.';
