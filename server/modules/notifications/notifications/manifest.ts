import * as adminPush from '@stagedoor/contract/admin/push.ts';
import * as notificationPreferences from '@stagedoor/contract/notifications/notification-preferences.ts';
import * as notifications from '@stagedoor/contract/notifications/notifications.ts';
import * as push from '@stagedoor/contract/notifications/push.ts';
import * as safariPush from '@stagedoor/contract/notifications/safari-push.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'notifications',
  dependsOn: ['accounts', 'data-export', 'blocks', 'calls', 'chat', 'account-deletion', 'follows', 'posts', 'presence'],
  contract: [notifications, notificationPreferences, push, adminPush, safariPush],
  emits: ['notification.created'],
  handles: [
    'account.secured',
    'dataExport.ready',
    'broadcast.sent',
    'call.callbackRequested',
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
    'notification.created',
    'payment.refunded',
    'payout.changed',
    'payout.methodChanged',
    'policy.changed',
    'post.published',
    'sale.made',
    'sale.refunded',
    'team.joined',
    'verification.changed',
  ],
  jobs: ['notifications.digest', 'notifications.purgeExpired', 'push.sendNormal', 'push.sendRings', 'push.sendUrgent'],
  implements: ['accountDeletion.deletionStep', 'calls.reachCheck', 'chat.messageListener', 'dataExport.exportPart'],
  tables: {
    muted_creators: {
      grants: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-preferences',
      },
    },
    creator_online_notifications: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    notification_digests: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    notification_preferences: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-preferences',
      },
    },
    notifications: {
      grants: 'all',
      personalData: { inPrivacyPolicyAs: 'notifications', onAccountDeletion: 'deleted', inExportAs: 'notifications' },
    },
    push_devices: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Keys by which a push service identifies a device.' },
      },
    },
    removed_push_devices: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: { notExported: 'Internal state; nothing that the user wrote or did.' },
      },
    },
    push_service_errors: { grants: 'all', personalData: { none: 'Push services that do not accept messages.' } },
    push_settings: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-preferences',
      },
    },
    push_deliveries: {
      grants: 'all',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: { remains: 'Deleted by age; nothing can be sent any more.' },
        inExportAs: 'notifications',
      },
    },
  },
});
