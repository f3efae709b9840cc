// data-export
export const teamsExportDescription = 'Your team members and the teams you’re on, with permissions and activity.';

// membership
export const teamMembershipLimit = 'You can be on up to {maximum} teams.';

// routes
export const teamLeft = 'You’ve left this team.';
export const actingForCreator = 'You’re now acting for them.';
export const backInOwnAccount = 'You’re back in your own account.';

// service
export const usernameCannotBeInvited = 'No account with that username can be invited.';
export const dailyInviteLimit =
  'You can send {maximum} invites in 24 hours, including canceled ones. Try again tomorrow.';
export const ownEmailError = 'That’s your own email.';
export const alreadyOnTeam = 'They’re already on your team.';
export const teamSizeLimit = 'A team can have up to {maximum} people, including pending invites.';
export const deletedUser = 'Deleted user';
