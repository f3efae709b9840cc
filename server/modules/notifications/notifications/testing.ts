export { insertNotifications, notifyNextFollowers } from './subscribe.ts';
