import type { Config } from '../../../platform/config.ts';
import type { Merchant } from './flexforms.ts';

export const CCBILL = 'ccbill';

export function getMerchant({ payments }: Config): Merchant {
  return { account: payments.account, subaccount: payments.subaccount, flexId: payments.flexId, salt: payments.salt };
}
