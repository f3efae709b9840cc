import * as debts from '@stagedoor/contract/debts.ts';
import * as differences from '@stagedoor/contract/differences.ts';
import * as payments from '@stagedoor/contract/payments.ts';
import * as processorDesk from '@stagedoor/contract/processor-desk.ts';
import * as settlements from '@stagedoor/contract/settlements.ts';
import { FINANCIAL_RECORD } from '../../kernel/personal-data.ts';
import { defineRoom } from '../../kernel/room.ts';

export const manifest = defineRoom({
  name: 'payments',
  above: ['accounts', 'audit', 'ledger', 'operators', 'sales'],
  contract: [debts, differences, payments, processorDesk, settlements],
  emits: ['deposit.changed', 'payment.returned', 'processor.received'],
  hears: ['debt.changed', 'processor.received'],
  jobs: [
    'payments.alarm',
    'payments.confirm',
    'payments.expire',
    'payments.forget',
    'payments.reconcile',
    'payments.refund',
    'payments.sweep',
  ],
  tables: {
    debt_decisions: { rows: 'append', readers: ['transparency'], personalData: FINANCIAL_RECORD },
    deposits: {
      rows: 'append',
      updates: [
        'card_brand',
        'card_last4',
        'kept_cents',
        'paid_at',
        'processor_subscription_id',
        'processor_transaction_id',
        'reason',
        'reversed_cents',
        'reversed_payable_cents',
        'status',
        'transaction_id',
        'updated_at',
      ],
      readers: ['transparency'],
      exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
      personalData: FINANCIAL_RECORD,
    },
    processor_decisions: {
      rows: 'append',
      updates: ['asked_at', 'detail', 'outcome'],
      readers: ['transparency'],
      personalData: {
        ...FINANCIAL_RECORD,
        inPrivacyPolicyAs: 'cardPayments',
        inExportAs: { notExported: 'Written by operators.' },
      },
    },
    processor_events: {
      rows: 'append',
      updates: ['confirmed_at', 'deposit_id', 'processed_at', 'raw', 'reason', 'received_count', 'state'],
      readers: ['transparency'],
      personalData: { inPrivacyPolicyAs: 'cardPayments' },
    },
    processor_export_days: { rows: 'edit', personalData: { none: 'Days and counts.' } },
    processor_exports: { rows: 'replace', personalData: { inPrivacyPolicyAs: 'cardPayments' } },
    processor_settlements: {
      rows: 'append',
      updates: ['taken_back_at', 'taken_back_by', 'taken_back_ground', 'taken_back_id'],
      readers: ['transparency'],
      exceptions: [{ room: 'ledger', may: 'read', why: 'The proof that the books are right is of the whole.' }],
      personalData: { none: 'What the card processor paid out to the platform.' },
    },
  },
});
