import {
  decideProcessorWebhook,
  listProcessorWebhooks,
  type PROCESSOR_DECISIONS,
  type PROCESSOR_WEBHOOK_STATES,
} from '@stagedoor/contract/admin/processor-webhooks.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatCount, formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import type { RecordAction } from '../../../../ui/record.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { PendingApproval } from '../approvals/pending-approval.tsx';
import { EntryActions, type PastDecision, PastDecisions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';

type ProcessorWebhook = ResponseOf<typeof listProcessorWebhooks>['data'][number];
type ProcessorWebhookState = (typeof PROCESSOR_WEBHOOK_STATES)[number];
type ProcessorDecision = (typeof PROCESSOR_DECISIONS)[number];

export const PROCESSOR_WEBHOOK_LABELS: Readonly<Record<ProcessorWebhookState, string>> = {
  quarantined: 'To decide',
  refunding: 'Refund in progress',
  waiting: 'Waiting for sale',
  processed: 'Processed',
  won: 'Chargeback reversed',
  refunded: 'Refunded',
  dismissed: 'Ignored',
  ignored: 'No action needed',
  received: 'Received',
};

export const processorWebhooksQuery = (state: ProcessorWebhookState) =>
  apiInfiniteQuery(listProcessorWebhooks, { query: { state, limit: 30 } });

const DECISION_ACTIONS: Readonly<Record<ProcessorDecision, RecordAction<ProcessorDecision>>> = {
  retry: { value: 'retry', label: 'Reprocess', shortcut: 'T', button: 'Reprocess' },
  dismiss: { value: 'dismiss', label: 'Ignore', shortcut: 'L', button: 'Ignore' },
  refund: {
    value: 'refund',
    label: 'Refund',
    shortcut: 'G',
    button: 'Refund',
    note: 'Sends one refund request. The payer gets an email when it’s done.',
  },
  refunded: {
    value: 'refunded',
    label: 'Refunded',
    shortcut: 'Y',
    button: 'Mark as refunded',
    note: 'Check the processor’s dashboard first. The payer gets an email.',
  },
  notRefunded: {
    value: 'notRefunded',
    label: 'Not refunded',
    shortcut: 'N',
    button: 'Mark as not refunded',
    note: 'Check the processor’s dashboard first. The event goes back to review.',
  },
  won: {
    value: 'won',
    label: 'Chargeback reversed',
    shortcut: 'W',
    button: 'Mark as reversed',
    note: 'The processor returned the money to us. The fan gets it back, and an email.',
  },
  notWon: {
    value: 'notWon',
    label: 'Chargeback reinstated',
    shortcut: 'N',
    button: 'Mark as reinstated',
    note: 'The amount returned to the fan is reversed, and they get an email.',
  },
};

function listDecisions({ state, eventType, pendingApproval }: ProcessorWebhook): readonly ProcessorDecision[] {
  if (pendingApproval !== null) return [];
  if (state === 'quarantined') return ['retry', 'dismiss', 'refund'];
  if (state === 'refunding') return ['refunded', 'notRefunded'];
  if (state === 'processed' && eventType === 'Chargeback') return ['won'];
  return state === 'won' ? ['notWon'] : [];
}

function listDetails({
  receivedAt,
  receivedCount,
  transactionId,
  subscriptionId,
  card,
  order,
}: ProcessorWebhook): DefinitionItem[] {
  return [
    {
      name: 'Received',
      value: `${formatExactTime(receivedAt)}${receivedCount > 1 ? `, ${formatCount(receivedCount, 'time')} in total` : ''}`,
    },
    ...(transactionId === null ? [] : [{ name: 'Transaction', value: transactionId }]),
    ...(subscriptionId === null ? [] : [{ name: 'Sale', value: subscriptionId }]),
    ...(card === null ? [] : [{ name: 'Card', value: card }]),
    ...(order === null
      ? [{ name: 'Order', value: 'No matching order' }]
      : [
          { name: 'Order', value: `${formatUsd(order.paid)}, ${order.status}` },
          { name: 'Fan', value: `${isolateText(order.fan.name)}, @${order.fan.username}` },
        ]),
  ];
}

function DecideWebhookForm({ webhook }: { webhook: ProcessorWebhook }) {
  const decide = useAdminAction(decideProcessorWebhook, {
    invalidates: [listProcessorWebhooks],
    successMessage: ({ state, pendingApproval }) =>
      pendingApproval === null
        ? `Decided: ${PROCESSOR_WEBHOOK_LABELS[state].toLowerCase()}.`
        : 'Awaiting second approval.',
  });
  return (
    <EntryActions
      actions={decide.isAllowed ? listDecisions(webhook).map((decision) => DECISION_ACTIONS[decision]) : []}
      legend="Decide"
      reason={createReasonField('Reason', 'Internal note.')}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={(decision, reason) => decide.send({ params: { id: webhook.id }, body: { decision, reason } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function ProcessorWebhookRows({ webhooks, now }: { webhooks: readonly ProcessorWebhook[]; now: string }) {
  return (
    <ExpandableRows label="Payment events">
      {webhooks.map((webhook) => {
        const { id, eventType, receivedAt, reason, amount, state, order, decisions, pendingApproval } = webhook;
        return (
          <ExpandableRow
            key={id}
            lead={<Glyph icon="card" />}
            title={eventType ?? 'Unknown event type'}
            sub={[formatDayTime(receivedAt, now), order && isolateText(order.fan.name)].filter(Boolean).join(' · ')}
            amount={amount === null ? '–' : formatUsd(amount)}
            status={PROCESSOR_WEBHOOK_LABELS[state]}
          >
            {reason !== null && <p className="pb-3 text-small wrap-anywhere">{reason}</p>}
            <DefinitionList items={listDetails(webhook)} />
            <PastDecisions
              title="Previous decisions"
              lines={decisions.map(
                ({ decision, decidedAt, operator, reason, detail }): PastDecision => ({
                  key: decidedAt + decision,
                  label: DECISION_ACTIONS[decision].label,
                  operator,
                  reason,
                  detail: [formatExactTime(decidedAt), detail].filter(Boolean).join('. '),
                }),
              )}
            />
            {pendingApproval && (
              <div className="pt-4">
                <PendingApproval approval={pendingApproval} />
              </div>
            )}
            <DecideWebhookForm key={`${state} ${pendingApproval?.id}`} webhook={webhook} />
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}
