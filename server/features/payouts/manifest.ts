/** Payouts: how people are paid what they earned. */
import * as payoutDesk from '@stagedoor/contract/payout-desk.ts';
import * as payouts from '@stagedoor/contract/payouts.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

const proven: Shared = {
  exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
};

export const manifest = defineRoom({
  name: 'payouts',
  above: ['accounts', 'archive', 'audit', 'closing', 'ledger', 'operators', 'verification'],
  contract: [payoutDesk, payouts],
  emits: ['payout.changed', 'payout.methodChanged', 'payouts.settingsChanged'],
  hears: ['payout.changed'],
  jobs: ['payouts.chase', 'payouts.notice', 'payouts.rules', 'payouts.submit'],
  tables: {
    payout_approvals: { rows: 'append' },
    payout_batches: {
      rows: 'append',
      updates: ['detail', 'provider_ref', 'state', 'tried_at', 'unanswered_count'],
      ...proven,
    },
    payout_claims: { rows: 'append' },
    payout_methods: { rows: 'append', updates: ['invalid_at', 'invalid_code', 'removed_at'], ...proven },
    payout_moments: { rows: 'append' },
    payout_notice_decisions: { rows: 'append' },
    payout_notices: { rows: 'append', updates: ['reason', 'received_count', 'state'] },
    payout_rules: { rows: 'all' },
    payout_settings: {
      rows: 'read',
      updates: [
        'cooling_hours',
        'crypto_minimum_cents',
        'minimum_cents',
        'referrals_fee_basis_points',
        'referrals_minimum_cents',
        'second_approver_cents',
      ],
    },
    payouts: {
      rows: 'append',
      updates: [
        'batch_id',
        'paid_id',
        'reason',
        'reference',
        'refused_batch_id',
        'sent_id',
        'status',
        'transfer',
        'updated_at',
      ],
      ...proven,
      readers: ['affiliates', 'transparency'],
    },
  },
});
