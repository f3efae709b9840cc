import { ADMIN_PATHS } from '@stagedoor/contract/admin/addresses.ts';
import {
  getAdminPayout,
  listAdminPayouts,
  listPayoutBatches,
  listPayoutRails,
  type PayoutRail,
  sendPayouts,
} from '@stagedoor/contract/admin/payouts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { formatCount } from '../../../../platform/dates.ts';
import { useCanCallRoute } from '../../../../platform/operator.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { useFeatureDisabledMessage } from '../../../../platform/site-status.ts';
import { Button } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialog.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { InlineError } from '../../../../ui/inline-error.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { Banner } from '../../../../ui/states.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { RAIL_LABELS } from './payout-labels.ts';
import * as texts from './texts.ts';

type RailQueue = ResponseOf<typeof listPayoutRails>['data'][number];

export const payoutRailsQuery = () => apiQuery(listPayoutRails, {});

const RAIL_NOTES: Readonly<Record<PayoutRail, string>> = {
  ach: texts.achSendNote,
  wire: texts.wireSendNote,
  paypal: texts.paypalSendNote,
  crypto: texts.cryptoSendNote,
};

function SendDialog({ railQueue, open, onClose }: { railQueue: RailQueue; open: boolean; onClose: () => void }) {
  const { rail, count, net } = railQueue;
  const navigate = useNavigate();
  const send = useAdminAction(sendPayouts, {
    invalidates: [listAdminPayouts, listPayoutBatches, listPayoutRails, getAdminPayout],
    successMessage: (batch) =>
      formatText(texts.payoutsSent, { payoutCount: formatCount(batch.count, 'payout'), net: formatUsd(batch.net) }),
    onDone: () => void navigate(ADMIN_PATHS.adminPayoutBatches),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={formatText(texts.sendQuestion, {
        payoutCount: formatCount(count, 'payout'),
        method: RAIL_LABELS[rail].name,
      })}
      lead={formatText(texts.sendTotal, { net: formatUsd(net), note: RAIL_NOTES[rail] })}
      confirmText={RAIL_LABELS[rail].sendLabel}
      busy={send.isPending}
      busyText={texts.sending}
      onConfirm={() => send.send({ body: { rail } })}
    >
      {send.error !== undefined && <InlineError message={send.error} />}
    </ConfirmDialog>
  );
}

export function SendPayouts() {
  const rails = useQuery(payoutRailsQuery()).data?.data ?? [];
  const [rail, setRail] = useState<PayoutRail>();
  const [isOpen, setOpen] = useState(false);
  const disabledMessage = useFeatureDisabledMessage('payouts');
  const chosen = rails.find((one) => one.rail === rail);
  const railQueues = rails.filter(({ count, onHold }) => count + onHold > 0);
  if (!useCanCallRoute(sendPayouts) || railQueues.length === 0) return null;
  return (
    <section aria-label={texts.send} className="grid gap-3">
      {disabledMessage !== undefined && (
        <Banner kind="warn" inline>
          {disabledMessage}
        </Banner>
      )}
      <ul className="lines">
        {railQueues.map(({ rail: each, isSetUp, count, net, onHold }) => (
          <li key={each} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <span className="num">
              {formatNodes(texts.methodQueueSummary, {
                payoutCount: count === 0 ? texts.nothing : formatCount(count, 'payout'),
                method: RAIL_LABELS[each].name,
                totalNote: count > 0 && (
                  <>
                    , <b className="font-semibold">{formatUsd(net)}</b>
                  </>
                ),
                holdNote: onHold > 0 && (
                  <UiLink
                    href={`${ADMIN_PATHS.adminPayouts}?queue=onHold&rail=${each}`}
                    className="flex min-h-11 w-fit items-center text-small text-muted underline underline-offset-4"
                  >
                    {formatText(texts.payoutsOnHold, { holdCount: onHold })}
                  </UiLink>
                ),
              })}
            </span>
            {count === 0 ? null : isSetUp ? (
              <Button
                variant="ink"
                disabled={disabledMessage !== undefined}
                onClick={() => {
                  setRail(each);
                  setOpen(true);
                }}
              >
                {RAIL_LABELS[each].sendLabel}
              </Button>
            ) : (
              <span className="text-small text-muted">{texts.notConfigured}</span>
            )}
          </li>
        ))}
      </ul>
      {chosen && <SendDialog key={chosen.rail} railQueue={chosen} open={isOpen} onClose={() => setOpen(false)} />}
    </section>
  );
}
