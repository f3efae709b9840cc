export { notifyNextFollowers, notifyUsers } from './subscribe.ts';
