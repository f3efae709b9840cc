/** Who we are to CCBill, from the configuration. */
import type { Config } from '../../../kernel/config.ts';
import type { Merchant } from './flexforms.ts';

/** The name under which CCBill's money and events are kept. */
export const CCBILL = 'ccbill';

export function merchantOf({ payments }: Config): Merchant {
  return { account: payments.account, subaccount: payments.subaccount, flexId: payments.flexId, salt: payments.salt };
}
