// delegation-bar
export const actingAs = 'You’re acting as {name}{notice}';
export const creatorSeesActions = '. They can see what you do.';
export const stop = 'Stop';

// members
export const usernameOrEmail = 'Username or email';
export const inviteHint = 'They’ll accept with their own account within 7 days.';
export const sendInvite = 'Send invite';
export const saved = 'Saved.';
export const memberRemoved = '{name} was removed.';
export const save = 'Save';
export const removeMember = 'Remove {name}';
export const removeMemberConsequence =
  'If you remove them, they lose access immediately. Their past actions stay in the activity log.';
export const invited = 'Invited';
export const rightsUntil = '{rights} · until {expiresAt}';
export const cancelInviteFor = 'Cancel invite for {username}';
export const cancelInvite = 'Cancel invite';
export const noTeamMembersYet = 'No team members yet';
export const noTeamMembersHint = 'Members use their own accounts. Fans see that your team replied; you see who.';
export const team = 'Team';
export const changeMember = 'Change {name}';
export const changeButton = 'Change';
export const inviteSomeone = 'Invite someone';
export const memberCount = '{count} of {max}';
export const inviteQuestion = 'Who do you want to invite?';
export const inviteSent = 'Invite sent.';

// own-teams
export const creatorInvitedYou = '{name} invited you';
export const accept = 'Accept';
export const decline = 'Decline';
export const switchToCreator = 'Switch to {name}';
export const switchButton = 'Switch';
export const leaveTeamLabel = 'Leave the team: {name}';
export const leave = 'Leave';
export const noTeamsHint = 'You’re not on any teams. Invites from creators appear here.';
export const ownTeamsHint = 'You use your own login. Creators can see what you do.';
export const teams = 'Teams';

// rights
export const permissions = 'Permissions';

// team-actions
export const noTeamActivityHint = 'No activity yet. Everything your team does is logged here.';
export const teamActivity = 'Team activity';
export const actionDenied = '{description}: denied';
export const showMore = 'Show more';
