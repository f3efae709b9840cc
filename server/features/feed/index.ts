/** The feed of followed creators. Above posts and follows; nobody builds on it. */
export { register } from './routes.ts';
