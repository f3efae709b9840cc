import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { registerDepositHook } from './hooks.ts';
export { formatCardLabel } from './present.ts';
export { toCentsRoundedUp } from './service.ts';
export { type DepositsStatus, getDepositsStatus } from './status.ts';
export {
  type DepositRow,
  findDepositByIdOrOrder,
  findFirstOrderTime,
  hasPaid,
  listDepositsByTransactions,
} from './store.ts';
export { countNeedsReview, decideWebhook, viewWebhooks } from './webhooks/admin.ts';

export const featureModule = { ...manifest, register };
