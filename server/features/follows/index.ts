/** Follows: who wants to see whom. Above accounts; feed and profiles build on it. */
import './events.ts';

export { register } from './routes.ts';
export { findCreator, isWide, WIDE_FOLLOWERS, widen } from './store.ts';
