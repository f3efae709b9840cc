import type { DeskPayout, PayoutQueue, Rail, TransferStep } from '@stagedoor/contract/payout-desk.ts';
import type { PayoutKind, PayoutSource, PayoutState } from '@stagedoor/contract/payouts.ts';

export const QUEUE_WORDS: Readonly<Record<PayoutQueue, string>> = {
  toApprove: 'To approve',
  toSend: 'To send',
  onTheWay: 'In transit',
  toConfirm: 'Needs second approval',
  heldBack: 'On hold',
};
export const STATE_WORDS: Readonly<Record<PayoutState, string>> = {
  requested: 'Requested',
  inreview: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  transfered: 'Transferred',
  cancel: 'Canceled',
};
export const KIND_WORDS: Readonly<Record<PayoutKind, string>> = {
  ach: 'Bank account',
  paypal: 'PayPal',
  crypto: 'Crypto',
};
export const SOURCE_WORDS: Readonly<Record<PayoutSource, string>> = {
  earnings: 'Earnings',
  referrals: 'Referrals',
};
export const RAIL_WORDS: Readonly<Record<Rail, { name: string; make: string }>> = {
  ach: { name: 'ACH', make: 'Create ACH file' },
  wire: { name: 'International bank', make: 'Create international list' },
  paypal: { name: 'PayPal', make: 'Send to PayPal' },
  crypto: { name: 'Crypto', make: 'Create crypto list' },
};
export const STEP_WORDS: Readonly<Record<TransferStep, { words: string; letter: string; button: string }>> = {
  sent: { words: 'Sent', letter: 'S', button: 'Mark as sent' },
  broadcast: { words: 'Broadcast', letter: 'B', button: 'Add transaction ID' },
  confirming: { words: 'Confirming', letter: 'C', button: 'Mark as confirming' },
  paid: { words: 'Paid', letter: 'P', button: 'Mark as paid' },
  failed: { words: 'Failed', letter: 'F', button: 'Return funds' },
  returned: { words: 'Returned', letter: 'R', button: 'Return funds' },
};

export function standingOf({ status, transfer, batchId, heldBack }: DeskPayout): string {
  if (heldBack !== null) return 'On hold';
  if (status === 'approved') return batchId === null ? 'To send' : 'In transit';
  if (status === 'rejected' && transfer === 'failed') return 'Returned';
  return STATE_WORDS[status];
}
