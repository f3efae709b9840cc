/** Posts: what creators publish and fans buy. Above sales and media; feed and profiles read through what is exported here. */
import './events.ts';

export { type PostRow, postsStatement, readPosts } from './hydrate.ts';
export { presentPost } from './present.ts';
export { register } from './routes.ts';
