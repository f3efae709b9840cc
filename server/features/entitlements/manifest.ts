import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'entitlements',
  above: ['media', 'sales'],
  emits: ['entitlement.revoked'],
  hears: ['entitlement.revoked', 'sale.refunded'],
  tables: {
    entitlement_grants: {
      rows: 'edit',
      personalData: {
        inPrivacyPolicyAs: 'fanActivity',
        onAccountDeletion: { remains: 'The granted access, by account id.' },
        inExportAs: { notExported: 'Given by others; the content itself is open to the user.' },
      },
    },
  },
  functions: { entitlement: {} },
});
