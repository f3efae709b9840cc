import { adminSubscriptionPath, adminUserPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import { getLedgerTransaction } from '@stagedoor/contract/admin/ledger.ts';
import type { AdminSubscription } from '@stagedoor/contract/admin/subscriptions.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../../platform/bidi.ts';
import { formatDayTime } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { UiLink } from '../../../../ui/link.tsx';
import { formatState, formatTier, PAYMENT_SOURCE_LABELS } from './labels.ts';
import * as texts from './texts.ts';

/** What happens next, or when it ended. */
function formatWhen({ state, isRenewing, dueAt, endedAt, startedAt }: AdminSubscription, now: string): string {
  if (endedAt !== null) return formatText(texts.endedOn, { time: formatDayTime(endedAt, now) });
  if (dueAt === null) return formatText(texts.since, { time: formatDayTime(startedAt, now) });
  const text = state === 'pastDue' ? texts.retriedOn : isRenewing ? texts.chargedOn : texts.endsOn;
  return formatText(text, { time: formatDayTime(dueAt, now) });
}

const LINK = 'inline-flex min-h-11 items-center underline underline-offset-4';

export function SubscriptionRows({ subscriptions, now }: { subscriptions: readonly AdminSubscription[]; now: string }) {
  const canOpenSale = useCanCallRoute(getLedgerTransaction);
  return (
    <ul className="lines" aria-label={texts.subscriptions}>
      {subscriptions.map((subscription) => {
        const { id, fan, creator, amount, saleId } = subscription;
        const title = formatText(texts.fanToCreator, {
          fan: isolateText(fan.name),
          creator: isolateText(creator.name),
        });
        return (
          <li key={id} className="grid gap-1 py-3 text-small">
            <p className="flex flex-wrap justify-between gap-x-4">
              <UiLink href={adminSubscriptionPath(id)} className="row__link min-w-0 font-semibold wrap-anywhere">
                {title}
              </UiLink>
              <span className="num font-semibold">{formatUsd(amount)}</span>
            </p>
            <p className="flex flex-wrap justify-between gap-x-4 text-muted wrap-anywhere">
              <span>
                {formatTier(subscription)} · {PAYMENT_SOURCE_LABELS[subscription.paymentSource]} ·{' '}
                {formatState(subscription)}
              </span>
              <span className="num">{formatWhen(subscription, now)}</span>
            </p>
            <p className="flex flex-wrap gap-x-5">
              {[fan, creator].map((user) => (
                <UiLink key={user.id} href={adminUserPath(user.id)} className={LINK}>
                  @{user.username}
                </UiLink>
              ))}
              {saleId !== null && canOpenSale && (
                <UiLink href={ledgerTransactionPath(saleId)} className={LINK}>
                  {texts.viewSale}
                </UiLink>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
