import type { Subscription } from '@stagedoor/contract/content/subscriptions.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useId } from 'react';
import { addFundsHref } from '../../../platform/address.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { useLeavingLinkProps } from '../../../platform/running-call.ts';
import { useViewer } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { Table } from '../../../ui/table.tsx';
import { subtractUsd } from './billing.ts';
import * as texts from './texts.ts';
import { listUpcomingCharges, sumCharges } from './upcoming-charges.ts';

/** The charges of the next 30 days, with the balance now and after them. */
export function NextCharges({ subscriptions, now }: { subscriptions: readonly Subscription[]; now: string }) {
  const id = useId();
  const balance = useViewer()?.deposit ?? 0;
  const leavingLink = useLeavingLinkProps();
  const charges = listUpcomingCharges(subscriptions, now);
  const total = sumCharges(charges);
  const fromBalance = sumCharges(charges.filter(({ paymentSource }) => paymentSource === 'balance'));
  const byCard = sumCharges(charges.filter(({ paymentSource }) => paymentSource === 'card'));
  const after = subtractUsd(balance, fromBalance);
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="display d4 pb-3">
        {texts.next30Days}
      </h2>
      {charges.length === 0 ? (
        <p className="border-t border-line pt-3 text-muted">{texts.nothingDue}</p>
      ) : (
        <>
          <Table
            caption={texts.chargesCaption}
            columns={[{ head: texts.day }, { head: texts.creator }, { head: texts.amount }]}
            rows={charges.map(({ key, day, creatorName, amount, paymentSource }) => ({
              key,
              cells: [
                <span key="day" className="whitespace-nowrap">
                  {formatShortDay(day, now)}
                </span>,
                <bdi key="creator" className="whitespace-normal wrap-anywhere text-muted">
                  {creatorName}
                  {paymentSource === 'card' && ` · ${texts.byCard}`}
                </bdi>,
                formatUsd(amount),
              ],
            }))}
            foot={[texts.total, '', formatUsd(total)]}
            className="[&_:is(th,td):nth-child(2)]:text-left"
          />
          <PriceSummary
            className="pt-3 text-small"
            items={[
              { name: texts.balanceNow, value: formatUsd(balance) },
              { name: texts.charges, value: formatUsd(-fromBalance) },
            ]}
            total={
              after < 0
                ? { name: texts.missingThen, value: formatUsd(-after) }
                : { name: texts.balanceThen, value: formatUsd(after) }
            }
          />
          {byCard > 0 && (
            <p className="num flex justify-between gap-4 pt-2 text-small text-muted">
              <span>{texts.cardCharges}</span>
              <span>{formatUsd(byCard)}</span>
            </p>
          )}
          {after < 0 && (
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 pt-3">
              <p className="min-w-0 flex-1 basis-48 text-small text-muted">{texts.belowZeroNote}</p>
              <Button href={addFundsHref(-after, PATHS.fanSubscriptions)} {...leavingLink}>
                {texts.addFunds}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
