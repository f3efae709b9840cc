// signup-gate
export const logIn = 'Log in';
export const createAccount = 'Create account';
export const followCreator = 'Follow {creatorName}';
export const messageCreator = 'Message {creatorName}';
export const callCreator = 'Call {creatorName}';
export const tipCreator = 'Tip {creatorName}';
export const subscribeToCreator = 'Subscribe to {creatorName}';
export const likeThisPost = 'Like this post';
export const unlockFor = 'Unlock for {price}';
export const welcomeToStagedoor = 'Welcome to Stagedoor';
export const postBy = 'Post by {name}';
export const blurredPostPreview = 'Blurred preview of {post}';
export const untitled = 'Untitled';
export const payOnceHint = 'Pay once and keep it';
