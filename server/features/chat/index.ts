/** Chat: conversations between creators and fans, with money in them. Above media, follows, sales and the wallet; broadcasts build on it. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { attach, chooseMedia, type Files } from './attachments.ts';
export { BROADCAST_COLUMNS, type BroadcastMessageRow, presentBroadcastMessage } from './broadcast-thread.ts';
export { countSending } from './flood.ts';
export { chooseTaken, discardTaken, type Form, readForm, readJson } from './forms.ts';
export { tell, tellMessage, tellRemoved } from './live.ts';
/** @public What the calls room tells of a call. */
export { type CallLine, writeCall } from './reactions.ts';
export { formFields, parseFields } from './routes.ts';
export { findMessages } from './rows.ts';
export { say } from './say.ts';

export const room = { ...manifest, register };
