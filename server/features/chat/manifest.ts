/** Chat: conversations between creators and fans with money in them, and broadcasts, one message to many of them. */
import * as broadcasts from '@stagedoor/contract/broadcasts.ts';
import * as chat from '@stagedoor/contract/chat.ts';
import * as chatLive from '@stagedoor/contract/chat-live.ts';
import * as chatTerms from '@stagedoor/contract/chat-terms.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'chat',
  above: ['accounts', 'entitlements', 'follows', 'media', 'presence', 'sales', 'wallet'],
  contract: [chat, chatTerms, chatLive, broadcasts],
  emits: [
    'broadcast.sent',
    'broadcast.takenBack',
    'broadcast.unsent',
    'chat.approved',
    'chat.closed',
    'chat.purchased',
    'message.sent',
  ],
  hears: [
    'broadcast.sent',
    'broadcast.takenBack',
    'broadcast.unsent',
    'chat.closed',
    'chat.purchased',
    'follow.changed',
    'media.processed',
    'message.sent',
    'sale.made',
    'sale.refunded',
  ],
  jobs: ['broadcast.send', 'chat.closeOnce'],
  tables: {
    broadcast_counts: {},
    broadcasters: {},
    broadcasts: {},
    chat_attachments: {},
    chat_bonds: {},
    chat_catch_ups: {},
    chat_files: {},
    chat_purchases: { readers: ['transparency'] },
    conversations: {
      exceptions: [
        { room: 'demo', may: 'write', why: 'The demo world has conversations of many ages.' },
        { room: 'profiles', may: 'read', why: 'Whom one follows is listed with whether they are muted.' },
      ],
    },
    messages: {},
  },
  functions: {
    broadcast_count: {},
    broadcast_is_for: {},
    chat_catch_up: {},
    chat_deliver: {},
    chat_mark: {},
    chat_owns: {},
    chat_revise: {},
    chat_send: {},
  },
});
