import * as calls from '@stagedoor/contract/calls.ts';
import * as callsDesk from '@stagedoor/contract/calls-desk.ts';
import * as callsLive from '@stagedoor/contract/calls-live.ts';
import { FINANCIAL_RECORD } from '../../kernel/personal-data.ts';
import { defineRoom, type Shared } from '../../kernel/room.ts';

const proven: Shared = {
  exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
};

export const manifest = defineRoom({
  name: 'calls',
  above: ['accounts', 'archive', 'audit', 'chat', 'closing', 'follows', 'presence', 'sales', 'wallet'],
  contract: [calls, callsDesk, callsLive],
  emits: ['call.backAsked', 'call.changed', 'call.termsChanged'],
  hears: [
    'account.blocked',
    'call.backAsked',
    'call.changed',
    'chat.blocked',
    'debt.changed',
    'deposit.changed',
    'hold.expired',
    'sale.made',
    'sale.refunded',
  ],
  tables: {
    call_hearings: { rows: 'all', personalData: { inPrivacyPolicyAs: 'calls' } },
    call_moments: { rows: 'append', ...proven, personalData: { inPrivacyPolicyAs: 'calls' } },
    call_terms: {
      rows: 'all',
      personalData: { inPrivacyPolicyAs: 'creatorProfile', onAccountDeletion: 'deleted', inExportAs: 'call-terms' },
    },
    calls: {
      rows: 'append',
      updates: [
        'answered_at',
        'call_back_asked_at',
        'charged_cents',
        'creator_device',
        'ended_at',
        'fan_device',
        'held_cents',
        'hold_id',
        'is_creator_connected',
        'is_fan_connected',
        'lost_at',
        'net_cents',
        'next_due_at',
        'reason',
        'running_since',
        'seen_at',
        'started_at',
        'status',
        'stop_ground',
        'stopped_by',
        'talked_ms',
        'transaction_id',
        'warned_seconds',
      ],
      ...proven,
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'calls', inExportAs: 'calls' },
    },
  },
});
