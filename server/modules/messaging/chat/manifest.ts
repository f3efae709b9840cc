import * as banEvasion from '@stagedoor/contract/identity/ban-evasion.ts';
import * as broadcasts from '@stagedoor/contract/messaging/broadcasts.ts';
import * as chat from '@stagedoor/contract/messaging/chat.ts';
import * as chatEvents from '@stagedoor/contract/messaging/chat-events.ts';
import * as chatSettings from '@stagedoor/contract/messaging/chat-settings.ts';
import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'chat',
  dependsOn: [
    'accounts',
    'data-export',
    'blocks',
    'account-deletion',
    'entitlements',
    'follows',
    'media',
    'media-processing',
    'presence',
    'sales',
    'subscription-tiers',
    'subscriptions',
    'wallet',
  ],
  contract: [chat, chatSettings, chatEvents, broadcasts, banEvasion],
  emits: [
    'broadcast.sent',
    'broadcast.messagesRemoved',
    'broadcast.unsent',
    'broadcast.takedownChanged',
    'chat.approved',
    'chat.blocked',
    'chat.declined',
    'message.accessRevoked',
    'chat.purchased',
    'chat.requested',
    'message.sent',
  ],
  handles: [
    'broadcast.sent',
    'broadcast.messagesRemoved',
    'broadcast.unsent',
    'broadcast.takedownChanged',
    'chat.blocked',
    'message.accessRevoked',
    'chat.purchased',
    'follow.changed',
    'media.processed',
    'message.sent',
    'sale.made',
    'sale.refunded',
    'subscription.started',
    'subscriptionTier.deleted',
  ],
  jobs: ['broadcast.send', 'chat.expireViewOnce'],
  provides: ['chat.messageListener'],
  implements: [
    'accountDeletion.deletionStep',
    'dataExport.exportPart',
    'media.fileGrant',
    'media.mediaGrant',
    'media.mediaUseReader',
    'presence.visibility',
    'wallet.tipGuard',
  ],
  tables: {
    broadcast_counts: { grants: 'edit', personalData: { inPrivacyPolicyAs: 'messaging' } },
    broadcasters: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'The number of sent broadcasts, without their text.' },
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    broadcasts: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'Media that fans bought stay available to them; all other content is removed.' },
        inExportAs: 'broadcasts',
      },
    },
    broadcast_recipients: {
      grants: 'append',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'Which broadcasts were sent to the account, by its id.' },
        inExportAs: { notExported: 'Internal state; the messages themselves are exported.' },
      },
    },
    chat_attachments: { grants: 'append', personalData: { inPrivacyPolicyAs: 'messaging' } },
    fan_creator_relations: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'Sums that a fan and a creator paid each other, by account id.' },
        inExportAs: 'statements',
      },
    },
    broadcast_cursors: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    chat_files: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'Media that fans bought stay available to them.' },
        inExportAs: 'messages',
      },
    },
    chat_purchases: {
      grants: 'append',
      updates: ['hidden_at', 'net_cents', 'revoked_at'],
      readers: ['transparency-log'],
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'fanActivity' },
    },
    conversations: {
      grants: 'all',
      readers: ['push'],
      exceptions: [
        { module: 'demo', allows: 'write', reason: 'The demo world has conversations of many ages.' },
        { module: 'profiles', allows: 'read', reason: 'Whom one follows is listed with whether they are muted.' },
      ],
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'The other side keeps the conversation.' },
        inExportAs: 'conversations',
      },
    },
    messages: {
      grants: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'messaging',
        onAccountDeletion: { remains: 'What fans bought stays available to them; all other content is removed.' },
        inExportAs: 'messages',
      },
    },
  },
  functions: {
    broadcast_add_counts: {},
    is_broadcast_recipient: {},
    chat_deliver_all_broadcasts: {},
    chat_deliver_broadcasts: {},
    chat_mark_messages: {},
    chat_owns_media: {},
    chat_increment_revision: {},
    chat_send: {},
  },
});
