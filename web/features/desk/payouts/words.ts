import type { DeskPayout, PayoutQueue, Rail, TransferStep } from '@stagedoor/contract/payout-desk.ts';
import type { PayoutKind, PayoutSource, PayoutState } from '@stagedoor/contract/payouts.ts';

export const QUEUE_WORDS: Readonly<Record<PayoutQueue, string>> = {
  toApprove: 'To approve',
  toSend: 'To send',
  onTheWay: 'On their way',
  toConfirm: 'To confirm',
  heldBack: 'Held back',
};
export const STATE_WORDS: Readonly<Record<PayoutState, string>> = {
  requested: 'Requested',
  inreview: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  transfered: 'Transferred',
  cancel: 'Taken back',
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
  ach: { name: 'ACH', make: 'Make the ACH file' },
  wire: { name: 'Bank abroad', make: 'Make the list for banks abroad' },
  paypal: { name: 'PayPal', make: 'Hand over to PayPal' },
  crypto: { name: 'Crypto', make: 'Make the crypto list' },
};
export const STEP_WORDS: Readonly<Record<TransferStep, { words: string; letter: string; button: string }>> = {
  sent: { words: 'It was sent', letter: 'S', button: 'Note that it was sent' },
  broadcast: { words: 'It is on the chain', letter: 'B', button: 'Note its transaction' },
  confirming: { words: 'It is being confirmed', letter: 'C', button: 'Note that it is being confirmed' },
  paid: { words: 'It arrived', letter: 'P', button: 'Note that it arrived' },
  failed: { words: 'It failed', letter: 'F', button: 'Give the money back' },
  returned: { words: 'It came back', letter: 'R', button: 'Give the money back' },
};

export function standingOf({ status, transfer, batchId, heldBack }: DeskPayout): string {
  if (heldBack !== null) return 'Held back';
  if (status === 'approved') return batchId === null ? 'To send' : 'On its way';
  if (status === 'rejected' && transfer === 'failed') return 'Came back';
  return STATE_WORDS[status];
}
