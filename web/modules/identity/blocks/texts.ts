// ban-evasion-hint
export const maybeBlockedBefore = 'May be someone you blocked';

// block-button
export const blockUser = 'Block {name}';
export const blockButton = 'Block';

// block-dialog
export const userBlocked = 'Blocked {name}. Manage blocked people in your account settings.';
export const blockQuestion = 'Block {name}?';
export const blockFanConsequence =
  'They won’t be able to see your profile, follow, message, call or tip you. They keep what they’ve unlocked. We won’t notify them.';
export const blockCreatorConsequence =
  'You won’t see each other, and you’ll unfollow them. You keep what you’ve unlocked. We won’t notify them.';
export const blocking = 'Blocking…';

// blocked-users
export const noBlockedUsers = 'You haven’t blocked anyone.';
export const blockedUsersHint = 'You and the people you block can’t see or message each other.';
export const blockedUsers = 'Blocked people';
export const unblockUser = 'Unblock {name}';
export const unblockButton = 'Unblock';
export const showMore = 'Show more';
