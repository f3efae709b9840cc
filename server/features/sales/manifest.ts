/** Sales: what fans pay creators and how it is shared. */
import { defineRoom, type Shared } from '../../kernel/room.ts';

const proven: Shared = {
  exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
};

export const manifest = defineRoom({
  name: 'sales',
  above: ['accounts', 'ledger'],
  emits: ['sale.made', 'sale.refunded'],
  tables: {
    sales: { ...proven, readers: ['transparency'] },
    sales_fees: proven,
    sales_owned: { ...proven, readers: ['entitlements'] },
    sales_settings: {},
  },
  functions: { sales_charge: {}, sales_charge_refused: {}, sales_open_creator: {} },
});
