// staff
export const blockedOrClosingAccount = 'This account is blocked or about to be deleted.';
export const emailNotConfirmed = 'Their email isn’t confirmed yet.';
export const creatorCannotBeStaff = 'This is a creator account. Ask them to create a separate account for staff use.';
export const accountHasTransactions =
  'This account has transactions. Ask them to create a separate account for staff use.';
export const noSuchUser = 'User not found.';
export const alreadyStaff = '@{username} is already staff.';
export const needsNoCode = 'Their roles are already active or were removed.';
export const ownRolesError = 'You can’t change your own roles.';
export const rolesAlreadyChanged = 'Someone else already changed their roles.';
export const userHasNoRoles = 'This user has no roles.';
