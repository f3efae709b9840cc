import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export {
  type DisplayNames,
  formatCallCost,
  formatSaleTitle,
  formatTipLocation,
  getSaleHref,
  loadDisplayNames,
  presentLines,
} from './statement.ts';
export { type CallFunds, registerCallFunds, registerTipGuard } from './tips.ts';
export {
  type CallsByTransaction,
  findTransactionCalls,
  registerCallFinder,
  type TransactionCall,
} from './transaction-calls.ts';

export const featureModule = { ...manifest, register };
