/** Entitlements: whether something is open for somebody, and by what right. */
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'entitlements',
  above: ['media', 'sales'],
  emits: ['entitlement.revoked'],
  hears: ['entitlement.revoked', 'sale.refunded'],
  tables: { entitlement_grants: { rows: 'edit' } },
  functions: { entitlement: {} },
});
