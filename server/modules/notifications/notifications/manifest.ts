import * as notificationPreferences from '@stagedoor/contract/notifications/notification-preferences.ts';
import * as notifications from '@stagedoor/contract/notifications/notifications.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'notifications',
  dependsOn: ['accounts', 'data-export', 'blocks', 'calls', 'chat', 'account-deletion', 'follows', 'posts'],
  contract: [notifications, notificationPreferences],
  emits: ['notification.created'],
  handles: [
    'account.secured',
    'dataExport.ready',
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
    'subscription.ended',
    'subscription.reminded',
    'subscription.renewalFailed',
    'subscription.repriced',
    'subscription.started',
    'subscription.tierDeleted',
    'team.joined',
    'verification.changed',
  ],
  jobs: ['notifications.digest', 'notifications.purgeExpired'],
  provides: ['notifications.notificationChannel'],
  implements: ['accountDeletion.deletionStep', 'dataExport.exportPart'],
  tables: {
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
      readers: ['push'],
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-preferences',
      },
    },
    notifications: {
      grants: 'all',
      readers: ['push'],
      personalData: { inPrivacyPolicyAs: 'notifications', onAccountDeletion: 'deleted', inExportAs: 'notifications' },
    },
  },
});
