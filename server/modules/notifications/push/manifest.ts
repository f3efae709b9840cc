import * as adminPush from '@stagedoor/contract/admin/push.ts';
import * as push from '@stagedoor/contract/notifications/push.ts';
import * as safariPush from '@stagedoor/contract/notifications/safari-push.ts';
import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'push',
  dependsOn: [
    'accounts',
    'data-export',
    'blocks',
    'calls',
    'chat',
    'account-deletion',
    'follows',
    'notifications',
    'presence',
  ],
  contract: [push, adminPush, safariPush],
  handles: ['broadcast.sent', 'call.changed'],
  jobs: ['push.purgeExpired', 'push.sendNormal', 'push.sendRings', 'push.sendUrgent'],
  implements: [
    'accountDeletion.deletionStep',
    'calls.reachCheck',
    'chat.messageListener',
    'dataExport.exportPart',
    'notifications.notificationChannel',
  ],
  tables: {
    muted_creators: {
      grants: 'replace',
      personalData: {
        inPrivacyPolicyAs: 'notifications',
        onAccountDeletion: 'deleted',
        inExportAs: 'notification-preferences',
      },
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
        onAccountDeletion: { remains: 'Deliveries of devices that moved to another account; deleted by age.' },
        inExportAs: 'notifications',
      },
    },
  },
});
