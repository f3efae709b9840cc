/** Broadcasts: one message to many, stored once, in each fan's own conversation when they look. Above chat. */
import './events.ts';

export { register } from './routes.ts';
