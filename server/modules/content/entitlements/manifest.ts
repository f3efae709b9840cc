import { defineModule } from '../../../platform/module.ts';

export const manifest = defineModule({
  name: 'entitlements',
  dependsOn: ['media', 'sales'],
  emits: ['entitlement.revoked'],
  handles: ['entitlement.revoked', 'sale.refunded'],
  tables: {
    entitlement_grants: {
      grants: 'edit',
      readers: ['subscriptions'],
      personalData: {
        inPrivacyPolicyAs: 'fanActivity',
        onAccountDeletion: { remains: 'The granted access, by account id.' },
        inExportAs: { notExported: 'Given by others; the content itself is open to the user.' },
      },
    },
  },
  functions: { entitlement: {} },
});
