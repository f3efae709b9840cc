/**
 * Chat: conversations between creators and fans, with money in them. Its floors: outbox (what is sent), thread (one conversation),
 * inbox (all of them), live (what sockets hear), broadcast (one message to many). Above media, follows, sales and the wallet.
 */
import './events.ts';
import './broadcast/events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { writeDirectly } from './outbox/write-directly.ts';
/** @public What the calls room tells of a call. */
export { type CallLine, writeCall } from './reactions.ts';

export const room = { ...manifest, register };
