import {
  decideProcessorWebhook,
  listProcessorWebhooks,
  type PROCESSOR_DECISIONS,
  type PROCESSOR_WEBHOOK_STATES,
} from '@stagedoor/contract/admin/processor-webhooks.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import * as texts from './texts.ts';

type ProcessorWebhook = ResponseOf<typeof listProcessorWebhooks>['data'][number];
type ProcessorWebhookState = (typeof PROCESSOR_WEBHOOK_STATES)[number];
type ProcessorDecision = (typeof PROCESSOR_DECISIONS)[number];

export const PROCESSOR_WEBHOOK_LABELS: Readonly<Record<ProcessorWebhookState, string>> = {
  quarantined: texts.toDecide,
  refunding: texts.refundInProgress,
  waiting: texts.waitingForSale,
  processed: texts.processed,
  won: texts.chargebackReversed,
  refunded: texts.refunded,
  dismissed: texts.ignored,
  ignored: texts.noActionNeeded,
  received: texts.received,
};

export const processorWebhooksQuery = (state: ProcessorWebhookState) =>
  apiInfiniteQuery(listProcessorWebhooks, { query: { state, limit: 30 } });

const DECISION_ACTIONS: Readonly<Record<ProcessorDecision, RecordAction<ProcessorDecision>>> = {
  retry: { value: 'retry', label: texts.reprocess, shortcut: 'T', button: texts.reprocess },
  dismiss: { value: 'dismiss', label: texts.ignore, shortcut: 'L', button: texts.ignore },
  refund: {
    value: 'refund',
    label: texts.refund,
    shortcut: 'G',
    button: texts.refund,
    note: texts.refundHint,
  },
  refunded: {
    value: 'refunded',
    label: texts.refunded,
    shortcut: 'Y',
    button: texts.markAsRefunded,
    note: texts.markRefundedHint,
  },
  notRefunded: {
    value: 'notRefunded',
    label: texts.notRefunded,
    shortcut: 'N',
    button: texts.markAsNotRefunded,
    note: texts.markNotRefundedHint,
  },
  won: {
    value: 'won',
    label: texts.chargebackReversed,
    shortcut: 'W',
    button: texts.markAsReversed,
    note: texts.markReversedHint,
  },
  notWon: {
    value: 'notWon',
    label: texts.chargebackReinstated,
    shortcut: 'N',
    button: texts.markAsReinstated,
    note: texts.markReinstatedHint,
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
      value: `${formatExactTime(receivedAt)}${receivedCount > 1 ? formatText(texts.receivedInTotal, { times: formatCount(receivedCount, 'time') }) : ''}`,
    },
    ...(transactionId === null ? [] : [{ name: 'Transaction', value: transactionId }]),
    ...(subscriptionId === null ? [] : [{ name: 'Sale', value: subscriptionId }]),
    ...(card === null ? [] : [{ name: 'Card', value: card }]),
    ...(order === null
      ? [{ name: 'Order', value: texts.noMatchingOrder }]
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
        ? formatText(texts.decidedToast, { state: PROCESSOR_WEBHOOK_LABELS[state].toLowerCase() })
        : texts.awaitingSecondApproval,
  });
  return (
    <EntryActions
      actions={decide.isAllowed ? listDecisions(webhook).map((decision) => DECISION_ACTIONS[decision]) : []}
      legend={texts.decide}
      reason={createReasonField(texts.reason, texts.internalNote)}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={(decision, reason) => decide.send({ params: { id: webhook.id }, body: { decision, reason } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function ProcessorWebhookRows({ webhooks, now }: { webhooks: readonly ProcessorWebhook[]; now: string }) {
  return (
    <ExpandableRows label={texts.paymentEvents}>
      {webhooks.map((webhook) => {
        const { id, eventType, receivedAt, reason, amount, state, order, decisions, pendingApproval } = webhook;
        return (
          <ExpandableRow
            key={id}
            lead={<Glyph icon="card" />}
            title={eventType ?? texts.unknownEventType}
            sub={[formatDayTime(receivedAt, now), order && isolateText(order.fan.name)].filter(Boolean).join(' · ')}
            amount={amount === null ? '–' : formatUsd(amount)}
            status={PROCESSOR_WEBHOOK_LABELS[state]}
          >
            {reason !== null && <p className="pb-3 text-small wrap-anywhere">{reason}</p>}
            <DefinitionList items={listDetails(webhook)} />
            <PastDecisions
              title={texts.previousDecisions}
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
