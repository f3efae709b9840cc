/**
 * Chat: conversations between creators and fans, with payments. Submodules: outbox (sending), thread (one
 * conversation), inbox (all conversations), live (socket events), broadcast (one message to many). Depends on media,
 * follows, sales and the wallet.
 */
import './events.ts';
import './broadcast/events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { broadcastRecipients } from './broadcast/recipients.ts';
export { showBroadcast, withholdBroadcast } from './broadcast/withhold.ts';
export { countUnmuted, unreadSince } from './inbox/conversations.ts';
export { blocksBetween } from './inbox/settings.ts';
export { hearMessages } from './live/tell.ts';
export {
  fileIdOf,
  findAnyFile,
  findAnyMessage,
  hideMessage,
  messagesAround,
  showMessage,
  withholdFiles,
} from './moderation.ts';
export { writeDirectly } from './outbox/write-directly.ts';
export { fileUrl } from './present.ts';
export { writeCall } from './reactions.ts';

export const room = { ...manifest, register };
