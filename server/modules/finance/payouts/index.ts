/** Payouts of earnings. Dependent modules request payouts from their own accounts. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { decidePayout } from './admin.ts';
export { sendBatch } from './batches.ts';
export { countToConfirm } from './failure-claims.ts';
export { findPayoutByNumberOrId, type PayoutMatch } from './lookup.ts';
export { recordPayoutStep } from './manual-transfers.ts';
/** @public */
export { type PayoutQuery, sumInTransit, viewPayout, viewPayoutOverview, viewPayouts } from './own-payouts.ts';
export { countQuarantinedPayPalWebhooks } from './paypal-webhook-store.ts';
/** @public Payout requests of dependent modules. */
export { cancelPayout, type PayoutRequest, requestPayout } from './requests.ts';
/** @public */
export {
  getMinimum,
  loadPayoutSettings,
  savePayoutSettings,
  viewPayoutSettings,
} from './settings.ts';
export { countToApprove, countToSend, countUnsureBatches } from './transfer-store.ts';

export const featureModule = { ...manifest, register };
