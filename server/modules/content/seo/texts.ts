// feeds
export const postBy = 'Post by {name}';
export const creatorOnStagedoor = '{name} on Stagedoor';
export const feedDescription = 'What {name} publishes on Stagedoor.';
