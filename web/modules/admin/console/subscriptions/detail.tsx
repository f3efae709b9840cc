import { adminUserPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import { getLedgerTransaction } from '@stagedoor/contract/admin/ledger.ts';
import type { AdminSubscriptionDetail } from '@stagedoor/contract/admin/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatExactTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { PendingApproval } from '../approvals/pending-approval.tsx';
import { DetailSection } from '../search/detail-section.tsx';
import { SubscriptionActions } from './actions.tsx';
import { formatState, formatTier, PAYMENT_SOURCE_LABELS } from './labels.ts';
import * as texts from './texts.ts';

type Moment = AdminSubscriptionDetail['events'][number];
const MOMENT_LABELS: Readonly<Record<Moment['event'], string>> = {
  started: texts.eventStarted,
  trialStarted: texts.eventTrialStarted,
  charged: texts.eventCharged,
  opened: texts.eventOpened,
  refunded: texts.eventRefunded,
  failed: texts.eventFailed,
  newPrice: texts.eventNewPrice,
  canceled: texts.eventCanceled,
  ended: texts.eventEnded,
};
const formatUtcMinute = (iso: string) => iso.slice(0, 16).replace('T', ' ');

function Events({ events }: { events: readonly Moment[] }) {
  return (
    <ol className="lines" aria-label={texts.events}>
      {events.map(({ at, event, amount, number }) => (
        <li
          key={`${at} ${event} ${number}`}
          className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 text-small"
        >
          <span>
            <span className="num text-muted">{formatUtcMinute(at)}</span>{' '}
            {formatText(MOMENT_LABELS[event], { number: number ?? 0 })}
          </span>
          {amount !== null && <span className="num">{formatUsd(amount)}</span>}
        </li>
      ))}
    </ol>
  );
}

function Periods({ periods }: { periods: AdminSubscriptionDetail['periods'] }) {
  const canOpen = useCanCallRoute(getLedgerTransaction);
  if (periods.length === 0) return <p className="text-small text-muted">{texts.noPeriods}</p>;
  return (
    <ul className="lines" aria-label={texts.periods}>
      {periods.map(({ number, startsAt, endsAt, price, refunded, saleId }) => (
        <li key={number} className="grid gap-1 py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">{formatText(texts.period, { number })}</span>
            <span className="num">{formatUsd(price)}</span>
          </p>
          <p className="flex flex-wrap justify-between gap-x-4 text-muted num">
            <span>
              {formatText(texts.periodRange, { from: formatUtcMinute(startsAt), until: formatUtcMinute(endsAt) })}
            </span>
            {refunded > 0 && <span>{formatText(texts.periodRefunded, { amount: formatUsd(refunded) })}</span>}
          </p>
          {canOpen && (
            <p>
              <UiLink
                href={ledgerTransactionPath(saleId)}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {texts.viewTransaction}
              </UiLink>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function formatOffer({ code, percentOff, paymentsLeft }: NonNullable<AdminSubscriptionDetail['offer']>): string {
  const text = paymentsLeft === 0 ? texts.offerOver : paymentsLeft === 1 ? texts.offerOneLeft : texts.offerLeft;
  return formatText(text, { code, percent: percentOff, count: paymentsLeft });
}

function listDetails(view: AdminSubscriptionDetail): DefinitionItem[] {
  const { fan, creator, startedAt, paidUntil, dueAt, endedAt, failedAttempts, newPrice } = view;
  const createLink = (user: typeof fan) => (
    <UiLink href={adminUserPath(user.id)} className="underline underline-offset-4">
      @{user.username}
    </UiLink>
  );
  const optional = (name: string, time: string | null): DefinitionItem[] =>
    time === null ? [] : [{ name, value: formatExactTime(time) }];
  return [
    { name: texts.fan, value: createLink(fan) },
    { name: texts.creator, value: createLink(creator) },
    { name: texts.tier, value: formatTier(view) },
    { name: texts.paymentSource, value: PAYMENT_SOURCE_LABELS[view.paymentSource] },
    { name: texts.status, value: formatState(view) },
    { name: texts.started, value: formatExactTime(startedAt) },
    ...optional(texts.paidUntil, paidUntil),
    ...(view.isRenewing ? optional(failedAttempts > 0 ? texts.nextAttempt : texts.nextCharge, dueAt) : []),
    ...(failedAttempts > 0 ? [{ name: texts.failedAttempts, value: String(failedAttempts) }] : []),
    ...optional(texts.eventEnded, endedAt),
    ...(newPrice === null
      ? []
      : [
          {
            name: texts.newPrice,
            value: formatText(texts.newPriceFrom, {
              price: formatUsd(newPrice.price),
              time: formatExactTime(newPrice.from),
            }),
          },
        ]),
    { name: texts.timeZone, value: view.timeZone },
    { name: 'ID', value: <span className="wrap-anywhere">{view.id}</span> },
  ];
}

export function AdminSubscriptionView({ view }: { view: AdminSubscriptionDetail }) {
  const { price, offer, charged, refunded, unused, endedAt, pendingApproval } = view;
  return (
    <div className="grid gap-8">
      <DefinitionList strong items={listDetails(view)} />
      {pendingApproval && <PendingApproval approval={pendingApproval} />}
      {!pendingApproval && <SubscriptionActions key={`${endedAt} ${refunded}`} view={view} />}
      <DetailSection id="money" title={texts.money}>
        <DefinitionList
          strong
          items={[
            { name: texts.price, value: formatUsd(price) },
            ...(offer === null ? [] : [{ name: texts.offer, value: formatOffer(offer) }]),
            { name: texts.charged, value: formatUsd(charged) },
            { name: texts.refundedSum, value: formatUsd(refunded) },
            ...(endedAt === null ? [{ name: texts.unused, value: formatUsd(unused) }] : []),
          ]}
        />
      </DetailSection>
      <DetailSection id="periods" title={texts.periods}>
        <Periods periods={view.periods} />
      </DetailSection>
      <DetailSection id="events" title={texts.events}>
        <Events events={view.events} />
      </DetailSection>
      <p className="text-small text-muted">{texts.viewRecordedHint}</p>
    </div>
  );
}
