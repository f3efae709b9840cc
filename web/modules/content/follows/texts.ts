// follow-button
export const followCreator = 'Follow {name}';
export const followButton = 'Follow';
export const following = 'Following';

// followers
export const followers = 'Followers';
