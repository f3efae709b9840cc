/** Chat: conversations between creators and fans, with money in them. */
import * as chat from '@stagedoor/contract/chat.ts';
import * as chatLive from '@stagedoor/contract/chat-live.ts';
import * as chatTerms from '@stagedoor/contract/chat-terms.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

const read: Shared = { readers: ['broadcasts'] };
const takenBack = 'Taking a broadcast back changes the messages made of it, conversation by conversation.';

export const manifest = defineRoom({
  name: 'chat',
  above: ['accounts', 'entitlements', 'follows', 'media', 'presence', 'sales', 'wallet'],
  contract: [chat, chatTerms, chatLive],
  emits: ['chat.approved', 'chat.closed', 'chat.purchased', 'message.sent'],
  hears: ['chat.closed', 'follow.changed', 'media.processed', 'message.sent', 'sale.made', 'sale.refunded'],
  jobs: ['chat.closeOnce'],
  tables: {
    chat_attachments: read,
    chat_bonds: read,
    chat_catch_ups: {},
    chat_files: {},
    chat_purchases: read,
    conversations: {
      readers: ['broadcasts'],
      exceptions: [
        { room: 'broadcasts', may: 'write', why: takenBack },
        { room: 'demo', may: 'write', why: 'The demo world has conversations of many ages.' },
        { room: 'profiles', may: 'read', why: 'Whom one follows is listed with whether they are muted.' },
      ],
    },
    messages: { readers: ['broadcasts'], exceptions: [{ room: 'broadcasts', may: 'write', why: takenBack }] },
  },
  functions: { chat_catch_up: {}, chat_deliver: {}, chat_mark: {}, chat_owns: {}, chat_send: {} },
});
