/** PayPal webhooks about payouts that need a manual decision. */

import { adminPayoutPath } from '@stagedoor/contract/admin/addresses.ts';
import {
  decidePayoutWebhook,
  listPayoutWebhooks,
  type PAYOUT_WEBHOOK_DECISIONS,
  type PAYOUT_WEBHOOK_STATES,
} from '@stagedoor/contract/admin/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatCount, formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { apiInfiniteQuery } from '../../../../platform/query.ts';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../../ui/expandable-row.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import type { RecordAction } from '../../../../ui/record.tsx';
import { Glyph } from '../../../../ui/rows.tsx';
import { EntryActions, type PastDecision, PastDecisions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

type PayoutWebhook = ResponseOf<typeof listPayoutWebhooks>['data'][number];
type PayoutWebhookState = (typeof PAYOUT_WEBHOOK_STATES)[number];
type PayoutWebhookDecision = (typeof PAYOUT_WEBHOOK_DECISIONS)[number];

export const PAYOUT_WEBHOOK_LISTS: Readonly<Record<PayoutWebhookState, string>> = {
  quarantined: texts.toDecide,
  booked: texts.processed,
  dismissed: texts.ignored,
  ignored: texts.noActionNeeded,
  received: texts.received,
};

export const payoutWebhooksQuery = (state: PayoutWebhookState) =>
  apiInfiniteQuery(listPayoutWebhooks, { query: { state, limit: 30 } });

const DECISION_ACTIONS: Readonly<Record<PayoutWebhookDecision, RecordAction<PayoutWebhookDecision>>> = {
  retry: {
    value: 'retry',
    label: texts.reprocess,
    shortcut: 'T',
    button: texts.reprocess,
    note: texts.reprocessHint,
  },
  dismiss: { value: 'dismiss', label: texts.ignore, shortcut: 'L', button: texts.ignore },
};

/** Converts `PAYMENT.PAYOUTS-ITEM.RETURNED` to `Payout returned`. */
function formatTitle(eventType: string): string {
  const [, subject, outcome] = /^PAYMENT\.PAYOUTS(-ITEM|BATCH)\.([A-Z]+)$/.exec(eventType) ?? [];
  if (outcome === undefined) return eventType;
  return `${subject === 'BATCH' ? texts.batch : texts.payout} ${outcome.toLowerCase()}`;
}

function listDetails({
  id,
  eventType,
  receivedAt,
  receivedCount,
  batchRef,
  itemRef,
  payout,
}: PayoutWebhook): DefinitionItem[] {
  const createCode = (text: string) => <span className="wrap-anywhere">{text}</span>;
  return [
    {
      name: 'Received',
      value: `${formatExactTime(receivedAt)}${receivedCount > 1 ? formatText(texts.timesInTotal, { timeCount: formatCount(receivedCount, 'time') }) : ''}`,
    },
    { name: 'Event', value: createCode(`${eventType}, ${id}`) },
    ...(batchRef === null ? [] : [{ name: texts.paypalBatch, value: createCode(batchRef) }]),
    ...(itemRef === null ? [] : [{ name: texts.paypalItem, value: createCode(itemRef) }]),
    {
      name: 'Payout',
      value:
        payout === null ? (
          texts.noMatchingPayout
        ) : (
          <>
            <UiLink href={adminPayoutPath(payout.id)} className="underline underline-offset-4">
              {payout.number}
            </UiLink>
            , {isolateText(payout.user.name)}, @{payout.user.username}
          </>
        ),
    },
  ];
}

function DecideWebhookForm({ webhook }: { webhook: PayoutWebhook }) {
  const decide = useAdminAction(decidePayoutWebhook, {
    invalidates: [listPayoutWebhooks],
    successMessage: ({ state }) => (state === 'dismissed' ? texts.eventIgnored : texts.eventReprocessing),
  });
  return (
    <EntryActions
      actions={decide.isAllowed ? [DECISION_ACTIONS.retry, DECISION_ACTIONS.dismiss] : []}
      legend={texts.decide}
      reason={createReasonField(texts.reasonField, texts.internalNoteHint)}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={(decision, reason) => decide.send({ params: { id: webhook.id }, body: { decision, reason } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function PayoutWebhookRows({ webhooks, now }: { webhooks: readonly PayoutWebhook[]; now: string }) {
  return (
    <ExpandableRows label={texts.paypalEvents}>
      {webhooks.map((webhook) => {
        const { id, eventType, receivedAt, reason, state, payout, decisions } = webhook;
        return (
          <ExpandableRow
            key={id}
            lead={<Glyph icon="wallet" />}
            title={formatTitle(eventType)}
            sub={[formatDayTime(receivedAt, now), payout && isolateText(payout.user.name)].filter(Boolean).join(' · ')}
            amount={payout === null ? '–' : formatUsd(payout.net)}
            status={PAYOUT_WEBHOOK_LISTS[state]}
          >
            {reason !== null && <p className="pb-3 text-small wrap-anywhere first-letter:uppercase">{reason}</p>}
            <DefinitionList items={listDetails(webhook)} />
            <PastDecisions
              title={texts.previousDecisions}
              lines={decisions.map(
                ({ decision, decidedAt, operator, reason }): PastDecision => ({
                  key: decidedAt + decision,
                  label: DECISION_ACTIONS[decision].label,
                  operator,
                  reason,
                  detail: formatExactTime(decidedAt),
                }),
              )}
            />
            {state === 'quarantined' && <DecideWebhookForm webhook={webhook} />}
          </ExpandableRow>
        );
      })}
    </ExpandableRows>
  );
}
