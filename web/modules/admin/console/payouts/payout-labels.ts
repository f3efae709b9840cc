import type { AdminPayout, PayoutQueue, PayoutRail, TransferStep } from '@stagedoor/contract/admin/payouts.ts';
import type { PayoutKind, PayoutSource, PayoutState } from '@stagedoor/contract/finance/payouts.ts';

export const PAYOUT_QUEUE_LABELS: Readonly<Record<PayoutQueue, string>> = {
  toApprove: 'To approve',
  toSend: 'To send',
  inTransit: 'In transit',
  toConfirm: 'Needs second approval',
  onHold: 'On hold',
};
export const PAYOUT_STATE_LABELS: Readonly<Record<PayoutState, string>> = {
  requested: 'Requested',
  inreview: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  transfered: 'Transferred',
  cancel: 'Canceled',
};
export const PAYOUT_KIND_LABELS: Readonly<Record<PayoutKind, string>> = {
  ach: 'Bank account',
  paypal: 'PayPal',
  crypto: 'Crypto',
};
export const PAYOUT_SOURCE_LABELS: Readonly<Record<PayoutSource, string>> = {
  earnings: 'Earnings',
  referrals: 'Referrals',
};
export const RAIL_LABELS: Readonly<Record<PayoutRail, { name: string; sendLabel: string }>> = {
  ach: { name: 'ACH', sendLabel: 'Create ACH file' },
  wire: { name: 'International bank', sendLabel: 'Create international list' },
  paypal: { name: 'PayPal', sendLabel: 'Send to PayPal' },
  crypto: { name: 'Crypto', sendLabel: 'Create crypto list' },
};
export const TRANSFER_STEP_TEXTS: Readonly<Record<TransferStep, { label: string; shortcut: string; button: string }>> =
  {
    sent: { label: 'Sent', shortcut: 'S', button: 'Mark as sent' },
    broadcast: { label: 'Broadcast', shortcut: 'B', button: 'Add transaction ID' },
    confirming: { label: 'Confirming', shortcut: 'C', button: 'Mark as confirming' },
    paid: { label: 'Paid', shortcut: 'P', button: 'Mark as paid' },
    failed: { label: 'Failed', shortcut: 'F', button: 'Return funds' },
    returned: { label: 'Returned', shortcut: 'R', button: 'Return funds' },
  };

export function formatPayoutStatus({ status, transfer, batchId, onHoldReason }: AdminPayout): string {
  if (onHoldReason !== null) return 'On hold';
  if (status === 'approved') return batchId === null ? 'To send' : 'In transit';
  if (status === 'rejected' && transfer === 'failed') return 'Returned';
  return PAYOUT_STATE_LABELS[status];
}
