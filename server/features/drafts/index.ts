/** Drafts and scheduled posts: what creators write before it is public. Above posts, through which they publish. */
export { register } from './routes.ts';
