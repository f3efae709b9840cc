import * as broadcasts from '@stagedoor/contract/broadcasts.ts';
import * as chat from '@stagedoor/contract/chat.ts';
import * as chatLive from '@stagedoor/contract/chat-live.ts';
import * as chatTerms from '@stagedoor/contract/chat-terms.ts';
import * as seemsBlocked from '@stagedoor/contract/seems-blocked.ts';
import { FINANCIAL_RECORD } from '../../kernel/personal-data.ts';
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
    broadcast_counts: { rows: 'edit', personalData: { inPrivacyPolicyAs: 'messaging' } },
    broadcasters: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'The number of sent broadcasts, without their text.' },
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    broadcasts: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'Media that fans bought stay available to them; all other content is removed.' },
        inExportAs: 'broadcasts',
      },
    },
    chat_attachments: { rows: 'append', personalData: { inPrivacyPolicyAs: 'messaging' } },
    chat_bonds: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'Sums that a fan and a creator paid each other, by account id.' },
        inExportAs: 'statements',
      },
    },
    chat_catch_ups: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    chat_files: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'Media that fans bought stay available to them.' },
        inExportAs: 'messages',
      },
    },
    chat_purchases: {
      rows: 'append',
      updates: ['hidden_at', 'net_cents', 'revoked_at'],
      readers: ['transparency'],
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'fanActivity' },
    },
    conversations: {
      rows: 'all',
      readers: ['notifications'],
      exceptions: [
        { room: 'demo', may: 'write', why: 'The demo world has conversations of many ages.' },
        { room: 'profiles', may: 'read', why: 'Whom one follows is listed with whether they are muted.' },
      ],
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'The other side keeps the conversation.' },
        inExportAs: 'conversations',
      },
    },
    messages: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'What fans bought stays available to them; all other content is removed.' },
        inExportAs: 'messages',
      },
    },
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
