/**
 * Chat: conversations between creators and fans, with payments. Submodules: outbox (sending), thread (one
 * conversation), inbox (all conversations), live (socket events), broadcast (one message to many). Depends on media,
 * follows, sales and the wallet.
 */
import './events.ts';
import './broadcast/events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { listBroadcastRecipients } from './broadcast/recipients.ts';
export { restoreBroadcast, takeDownBroadcast } from './broadcast/takedown.ts';
export { writeCallMessage } from './handlers.ts';
export { countUnmuted, countUnreadSince } from './inbox/conversations.ts';
export { type ChatRelation, findChatRelation, getBlocksBetween } from './inbox/settings.ts';
export { registerMessageListener } from './live/emit.ts';
export {
  findAnyFile,
  findAnyMessage,
  listMessagesAround,
  parseFileId,
  restoreMessage,
  setFilesTakenDown,
  takeDownMessage,
} from './moderation.ts';
export { seedMessage } from './outbox/seed-message.ts';
export { toFileUrl } from './present.ts';

export const featureModule = { ...manifest, register };
