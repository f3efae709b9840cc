import { manifest } from './manifest.ts';
import { registerSandbox } from './sandbox/index.ts';

export {
  AccountProblemError,
  type DataLink,
  type DataLinkExport,
  type DataLinkOutcome,
  type ExportRow,
  findDataLink,
  InvalidExportError,
  isAccountProblem,
  RECURRING_STATUS,
  type SubscriptionStatus,
} from './datalink.ts';
export {
  buildPaymentUrl,
  calculateApprovalDigest,
  calculateDenialDigest,
  type RecurringTerms,
  UNLIMITED_REBILLS,
} from './flexforms.ts';
export { CCBILL, getMerchant } from './merchant.ts';
export { findRenewalProblem, parseRecurringEvent, type RecurringEvent } from './recurring.ts';
export { formatArizonaTime, parseArizonaDay, parseArizonaTime, parseCents } from './values.ts';
export {
  CLOCK_SKEW_MS,
  evaluateSaleDigest,
  findAccountProblem,
  findFailureProblem,
  findReversalProblem,
  findSaleProblem,
  getFailureMessage,
  type OrderTerms,
} from './verify.ts';
export { registerWebhookEndpoint, type WebhookSender } from './webhook.ts';
export {
  IGNORED_EVENTS,
  type ParsedWebhook,
  RECURRING_EVENTS,
  REVERSAL_EVENTS,
  type RecurringEventType,
  type ReversalEvent,
  toTextFields,
  type WebhookFields,
} from './webhook-body.ts';

export const featureModule = { ...manifest, register: registerSandbox };
