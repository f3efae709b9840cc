import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { registerDepositHook } from './hooks.ts';
export { formatCardLabel } from './present.ts';
export { cancelRecurringPayment } from './recurring/cancel.ts';
export {
  type RecurringCharge,
  type RecurringPaymentHook,
  type RenewalLookup,
  registerRecurringPaymentHook,
} from './recurring/hook.ts';
export { requestRenewalLookup } from './recurring/renewal-lookup.ts';
export { getStartedPayment, type StartedPayment, startRecurringPayment } from './recurring/start.ts';
export { toCentsRoundedUp } from './service.ts';
export { type DepositsStatus, getDepositsStatus } from './status.ts';
export {
  type DepositRow,
  findDepositByIdOrOrder,
  findFirstOrderTime,
  hasPaid,
  listDepositsByTransactions,
} from './store.ts';
export { countProcessorReviews, decideWebhook, viewWebhooks } from './webhooks/admin.ts';

export const featureModule = { ...manifest, register };
