import * as adminDebts from '@stagedoor/contract/admin/debts.ts';
import * as adminProcessorWebhooks from '@stagedoor/contract/admin/processor-webhooks.ts';
import * as adminReconciliation from '@stagedoor/contract/admin/reconciliation.ts';
import * as adminSettlements from '@stagedoor/contract/admin/settlements.ts';
import * as payments from '@stagedoor/contract/commerce/payments.ts';
import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'payments',
  dependsOn: ['accounts', 'audit-log', 'ledger', 'ledger-checks', 'staff', 'sales'],
  contract: [adminDebts, adminReconciliation, payments, adminProcessorWebhooks, adminSettlements],
  emits: ['deposit.changed', 'payment.refunded', 'processor.received'],
  handles: ['debt.changed', 'processor.received'],
  jobs: [
    'payments.alarm',
    'payments.confirm',
    'payments.expire',
    'payments.purgeUnreadable',
    'payments.reconcile',
    'payments.refund',
    'payments.sweep',
  ],
  provides: ['payments.depositHook'],
  implements: ['staff.approvalHandler'],
  tables: {
    debt_decisions: { grants: 'append', readers: ['transparency-log'], personalData: FINANCIAL_RECORD },
    deposits: {
      grants: 'append',
      updates: [
        'card_brand',
        'card_last4',
        'debt_paid_cents',
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
      readers: ['transparency-log'],
      exceptions: [
        { module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' },
      ],
      personalData: FINANCIAL_RECORD,
    },
    processor_webhook_decisions: {
      grants: 'append',
      updates: ['requested_at', 'detail', 'outcome'],
      readers: ['transparency-log'],
      personalData: {
        ...FINANCIAL_RECORD,
        inPrivacyPolicyAs: 'cardPayments',
        inExportAs: { notExported: 'Written by operators.' },
      },
    },
    processor_webhooks: {
      grants: 'append',
      updates: ['confirmed_at', 'deposit_id', 'processed_at', 'raw', 'reason', 'received_count', 'state'],
      readers: ['transparency-log'],
      personalData: { inPrivacyPolicyAs: 'cardPayments' },
    },
    processor_export_days: { grants: 'edit', personalData: { none: 'Days and counts.' } },
    processor_exports: { grants: 'replace', personalData: { inPrivacyPolicyAs: 'cardPayments' } },
    processor_settlements: {
      grants: 'append',
      updates: ['reversed_at', 'reversed_by', 'reversal_reason', 'reversal_transaction_id'],
      readers: ['transparency-log'],
      exceptions: [
        { module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' },
      ],
      personalData: { none: 'What the card processor paid out to the platform.' },
    },
  },
});
