import * as preferences from '@stagedoor/contract/notification-preferences.ts';
import * as notifications from '@stagedoor/contract/notifications.ts';
import * as push from '@stagedoor/contract/push.ts';
import * as pushDesk from '@stagedoor/contract/push-desk.ts';
import * as safari from '@stagedoor/contract/safari-push.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'notifications',
  above: ['accounts', 'archive', 'blocks', 'calls', 'chat', 'closing', 'follows', 'posts', 'presence'],
  contract: [notifications, preferences, push, pushDesk, safari],
  emits: ['notification.told'],
  hears: [
    'account.secured',
    'archive.ready',
    'broadcast.sent',
    'call.backAsked',
    'call.changed',
    'case.answered',
    'case.copied',
    'case.decided',
    'chat.approved',
    'chat.requested',
    'commission.earned',
    'commission.moved',
    'creator.online',
    'debt.changed',
    'deposit.changed',
    'draft.failed',
    'hold.expired',
    'notification.told',
    'payment.returned',
    'payout.changed',
    'payout.methodChanged',
    'policy.changed',
    'post.published',
    'sale.made',
    'sale.refunded',
    'team.joined',
    'verification.changed',
  ],
  jobs: ['notifications.digest', 'notifications.forget', 'push.others', 'push.rings', 'push.urgent'],
  tables: {
    bells_off: {
      rows: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-wishes',
      },
    },
    creators_online_told: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    notification_digests: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    notification_preferences: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-wishes',
      },
    },
    notifications: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'notifications', onAccountDeletion: 'deleted', inExportAs: 'notifications' },
    },
    push_devices: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Keys by which a push service identifies a device.' },
      },
    },
    push_devices_removed: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    push_faults: { rows: 'all', personalData: { none: 'Push services that do not accept messages.' } },
    push_settings: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-wishes',
      },
    },
    pushes: {
      rows: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: { remains: 'Deleted by age; nothing can be sent any more.' },
        inExportAs: 'notifications',
      },
    },
  },
});
