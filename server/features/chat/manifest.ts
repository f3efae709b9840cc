/** Chat: conversations between creators and fans with money in them, and broadcasts, one message to many of them. */
import * as broadcasts from '@stagedoor/contract/broadcasts.ts';
import * as chat from '@stagedoor/contract/chat.ts';
import * as chatLive from '@stagedoor/contract/chat-live.ts';
import * as chatTerms from '@stagedoor/contract/chat-terms.ts';
import * as seemsBlocked from '@stagedoor/contract/seems-blocked.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'chat',
  above: [
    'accounts',
    'archive',
    'blocks',
    'closing',
    'entitlements',
    'follows',
    'media',
    'presence',
    'sales',
    'wallet',
  ],
  contract: [chat, chatTerms, chatLive, broadcasts, seemsBlocked],
  emits: [
    'broadcast.sent',
    'broadcast.takenBack',
    'broadcast.unsent',
    'broadcast.withheld',
    'chat.approved',
    'chat.blocked',
    'chat.closed',
    'chat.purchased',
    'chat.requested',
    'message.sent',
  ],
  hears: [
    'broadcast.sent',
    'broadcast.takenBack',
    'broadcast.unsent',
    'broadcast.withheld',
    'chat.blocked',
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
    broadcast_counts: { rows: 'edit' },
    broadcasters: { rows: 'edit' },
    broadcasts: { rows: 'edit' },
    chat_attachments: { rows: 'append' },
    chat_bonds: { rows: 'edit' },
    chat_catch_ups: { rows: 'all' },
    chat_files: { rows: 'all' },
    chat_purchases: { rows: 'append', updates: ['hidden_at', 'net_cents', 'revoked_at'], readers: ['transparency'] },
    conversations: {
      rows: 'all',
      readers: ['notifications'],
      exceptions: [
        { room: 'demo', may: 'write', why: 'The demo world has conversations of many ages.' },
        { room: 'profiles', may: 'read', why: 'Whom one follows is listed with whether they are muted.' },
      ],
    },
    messages: { rows: 'edit' },
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
