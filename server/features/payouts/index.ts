/** Payouts of earnings. Dependent modules request payouts from their own accounts. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { sendBatch } from './batches.ts';
export { countToConfirm } from './claims.ts';
export { decidePayout } from './desk.ts';
export { stepPayout } from './hand.ts';
export { type FoundPayout, findPayoutCalled } from './lookup.ts';
export { countNotices } from './notice-store.ts';
/** @public Payout requests of dependent modules. */
export { cancelPayout, type PayoutRequest, requestPayout } from './requests.ts';
/** @public */
export {
  lockPayoutSettings,
  minimumOf,
  payoutSettings,
  setPayoutGuard,
  setSettings,
  viewSettings,
} from './settings.ts';
export { countToApprove, countToSend, countUnsureBatches } from './transfer-store.ts';
/** @public */
export { onTheWay, type PayoutQuery, viewOverview, viewPayout, viewPayouts } from './views.ts';

export const room = { ...manifest, register };
