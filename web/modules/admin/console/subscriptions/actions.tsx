import {
  type AdminSubscriptionDetail,
  endAdminSubscription,
  getAdminSubscription,
  getSubscriptionOverview,
  listAdminSubscriptions,
  refundAdminPeriod,
} from '@stagedoor/contract/admin/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd, toCents } from '@stagedoor/contract/shared/money.ts';
import type { RecordAction } from '../../../../ui/record.tsx';
import { EntryActions } from '../entry-actions.tsx';
import { createReasonField, useAdminAction } from '../use-admin-action.ts';
import * as texts from './texts.ts';

const END = 'end';
const KEYS = '123456789';

/** Ending, and the refund of each period of which something is left. Numbers are the keys of periods. */
function listActions({ endedAt, unused, periods }: AdminSubscriptionDetail): RecordAction<string>[] {
  const [current] = periods;
  const refundable = periods.filter(({ price, refunded }) => toCents(refunded) < toCents(price));
  return [
    ...(endedAt === null
      ? [
          {
            value: END,
            label: unused > 0 ? texts.end : texts.endNow,
            shortcut: 'E',
            button: unused > 0 ? formatText(texts.endAndRefund, { amount: formatUsd(unused) }) : texts.endNow,
            note: unused > 0 ? texts.endNote : texts.endNoteFree,
          },
        ]
      : []),
    ...refundable.slice(0, KEYS.length).map((period, index) => ({
      value: String(period.number),
      label: formatText(texts.refundPeriod, { number: period.number }),
      shortcut: KEYS[index] ?? '',
      button: formatText(texts.refundAmount, {
        amount: formatUsd((toCents(period.price) - toCents(period.refunded)) / 100),
      }),
      note: endedAt === null && period.number === current?.number ? texts.refundCurrentNote : texts.refundEarlierNote,
    })),
  ];
}

export function SubscriptionActions({ view }: { view: AdminSubscriptionDetail }) {
  const invalidates = [getAdminSubscription, listAdminSubscriptions, getSubscriptionOverview];
  const toMessage =
    (done: string) =>
    ({ pendingApproval }: AdminSubscriptionDetail) =>
      pendingApproval === null ? done : texts.awaitingApproval;
  const end = useAdminAction(endAdminSubscription, { invalidates, successMessage: toMessage(texts.ended) });
  const refund = useAdminAction(refundAdminPeriod, {
    invalidates,
    successMessage: toMessage(texts.periodRefundedNotice),
  });
  const params = { id: view.id };
  return (
    <EntryActions
      actions={end.isAllowed ? listActions(view) : []}
      legend={texts.decide}
      reason={createReasonField(texts.reason, texts.reasonHint)}
      busy={end.isPending || refund.isPending}
      error={end.error ?? refund.error}
      onSubmit={(value, reason) =>
        value === END
          ? end.send({ params, body: { reason } })
          : refund.send({ params, body: { number: Number(value), reason } })
      }
    />
  );
}
