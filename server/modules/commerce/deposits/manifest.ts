import * as adminProcessorWebhooks from '@stagedoor/contract/admin/processor-webhooks.ts';
import * as deposits from '@stagedoor/contract/commerce/deposits.ts';
import { defineModule } from '../../../platform/module.ts';
import { FINANCIAL_RECORD } from '../../../platform/personal-data.ts';

export const manifest = defineModule({
  name: 'deposits',
  dependsOn: ['accounts', 'audit-log', 'ccbill', 'ledger', 'sales', 'approvals'],
  contract: [deposits, adminProcessorWebhooks],
  emits: ['deposit.changed', 'payment.refunded', 'processor.received', 'recurringPayment.cancelRequested'],
  handles: ['processor.received', 'recurringPayment.cancelRequested'],
  jobs: [
    'deposits.cancelRecurring',
    'deposits.logOverdueCancellations',
    'deposits.lookUpRenewal',
    'deposits.logOverdueWebhooks',
    'deposits.confirm',
    'deposits.expire',
    'deposits.purgeUnreadable',
    'deposits.refund',
    'deposits.repeatCancellations',
    'deposits.sweep',
  ],
  provides: ['deposits.depositHook', 'deposits.recurringPaymentHook'],
  implements: ['approvals.approvalHandler'],
  tables: {
    deposits: {
      grants: 'append',
      updates: [
        'card_brand',
        'card_last4',
        'debt_paid_cents',
        'is_unused',
        'paid_at',
        'processor_subscription_id',
        'processor_transaction_id',
        'reason',
        'return_path',
        'reversed_cents',
        'reversed_payable_cents',
        'status',
        'transaction_id',
        'updated_at',
      ],
      readers: ['reconciliation', 'transparency-log'],
      exceptions: [
        { module: 'ledger-checks', allows: 'read', reason: 'The ledger checks compare all records of money.' },
      ],
      personalData: FINANCIAL_RECORD,
    },
    recurring_payments: {
      grants: 'append',
      updates: [
        'cancel_attempted_at',
        'cancel_attempts',
        'cancel_problem',
        'cancel_requested_at',
        'canceled_at',
        'confirmed_renewals',
        'date_changed_at',
        'last_charged_at',
        'processor_subscription_id',
        'status_changed_at',
      ],
      personalData: { ...FINANCIAL_RECORD, inPrivacyPolicyAs: 'cardPayments', inExportAs: 'subscriptions' },
    },
    processor_pauses: {
      grants: 'append',
      updates: ['paused_until', 'reason'],
      personalData: { none: 'About the account of the site at the processor.' },
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
      readers: ['reconciliation', 'transparency-log'],
      personalData: { inPrivacyPolicyAs: 'cardPayments' },
    },
  },
});
