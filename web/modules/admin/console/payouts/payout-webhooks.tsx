/** PayPal webhooks about payouts that need a manual decision. */

import { adminPayoutPath } from '@stagedoor/contract/admin/addresses.ts';
import {
  decidePayoutWebhook,
  listPayoutWebhooks,
  type PAYOUT_WEBHOOK_DECISIONS,
  type PAYOUT_WEBHOOK_STATES,
} from '@stagedoor/contract/admin/payouts.ts';
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

type PayoutWebhook = ResponseOf<typeof listPayoutWebhooks>['data'][number];
type PayoutWebhookState = (typeof PAYOUT_WEBHOOK_STATES)[number];
type PayoutWebhookDecision = (typeof PAYOUT_WEBHOOK_DECISIONS)[number];

export const PAYOUT_WEBHOOK_LISTS: Readonly<Record<PayoutWebhookState, string>> = {
  quarantined: 'To decide',
  booked: 'Processed',
  dismissed: 'Ignored',
  ignored: 'No action needed',
  received: 'Received',
};

export const payoutWebhooksQuery = (state: PayoutWebhookState) =>
  apiInfiniteQuery(listPayoutWebhooks, { query: { state, limit: 30 } });

const DECISION_ACTIONS: Readonly<Record<PayoutWebhookDecision, RecordAction<PayoutWebhookDecision>>> = {
  retry: {
    value: 'retry',
    label: 'Reprocess',
    shortcut: 'T',
    button: 'Reprocess',
    note: 'Checks with PayPal again and records its answer.',
  },
  dismiss: { value: 'dismiss', label: 'Ignore', shortcut: 'L', button: 'Ignore' },
};

/** Converts `PAYMENT.PAYOUTS-ITEM.RETURNED` to `Payout returned`. */
function formatTitle(eventType: string): string {
  const [, subject, outcome] = /^PAYMENT\.PAYOUTS(-ITEM|BATCH)\.([A-Z]+)$/.exec(eventType) ?? [];
  if (outcome === undefined) return eventType;
  return `${subject === 'BATCH' ? 'Batch' : 'Payout'} ${outcome.toLowerCase()}`;
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
      value: `${formatExactTime(receivedAt)}${receivedCount > 1 ? `, ${formatCount(receivedCount, 'time')} in total` : ''}`,
    },
    { name: 'Event', value: createCode(`${eventType}, ${id}`) },
    ...(batchRef === null ? [] : [{ name: 'PayPal’s batch', value: createCode(batchRef) }]),
    ...(itemRef === null ? [] : [{ name: 'PayPal’s item', value: createCode(itemRef) }]),
    {
      name: 'Payout',
      value:
        payout === null ? (
          'No matching payout'
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
    successMessage: ({ state }) => (state === 'dismissed' ? 'Ignored.' : 'Reprocessing.'),
  });
  return (
    <EntryActions
      actions={decide.isAllowed ? [DECISION_ACTIONS.retry, DECISION_ACTIONS.dismiss] : []}
      legend="Decide"
      reason={createReasonField('Reason', 'Internal note.')}
      busy={decide.isPending}
      error={decide.error}
      onSubmit={(decision, reason) => decide.send({ params: { id: webhook.id }, body: { decision, reason } })}
    />
  );
}

/** `now` is an ISO timestamp. */
export function PayoutWebhookRows({ webhooks, now }: { webhooks: readonly PayoutWebhook[]; now: string }) {
  return (
    <ExpandableRows label="PayPal events">
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
              title="Previous decisions"
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
