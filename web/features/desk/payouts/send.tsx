import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { DESK_PATHS } from '@stagedoor/contract/desk-addresses.ts';
import {
  listDeskPayouts,
  listPayoutBatches,
  listPayoutRails,
  type Rail,
  readDeskPayout,
  sendPayouts,
} from '@stagedoor/contract/payout-desk.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { plural } from '../../../kernel/dates.ts';
import { useStopped } from '../../../kernel/house.ts';
import { useMay } from '../../../kernel/operator.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useDeskAct } from '../acts.ts';
import { RAIL_WORDS } from './words.ts';

type Waiting = ResponseOf<typeof listPayoutRails>['data'][number];

export const railsQuery = () => apiQuery(listPayoutRails, {});

const WHAT: Readonly<Record<Rail, string>> = {
  ach: 'Creates one file and marks the payouts as in transit. Upload it to the bank today.',
  wire: 'Creates one list with full account numbers. Someone sends each payout by hand.',
  paypal: 'Sent to PayPal and paid out immediately.',
  crypto: 'Creates one list with full addresses. Someone sends each payout and adds its transaction ID.',
};

function SendDialog({ waiting, open, onClose }: { waiting: Waiting; open: boolean; onClose: () => void }) {
  const { rail, count, net } = waiting;
  const navigate = useNavigate();
  const send = useDeskAct(sendPayouts, {
    forget: [listDeskPayouts, listPayoutBatches, listPayoutRails, readDeskPayout],
    done: (batch) => `${plural(batch.count, 'payout')} sent, ${formatUsd(batch.net)} in total.`,
    onDone: () => void navigate(DESK_PATHS.adminPayoutBatches),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Send ${plural(count, 'payout')} by ${RAIL_WORDS[rail].name}?`}
      lead={`${formatUsd(net)} in total. ${WHAT[rail]}`}
      confirmText={RAIL_WORDS[rail].make}
      busy={send.isPending}
      busyText="Sending…"
      onConfirm={() => send.send({ body: { rail } })}
    >
      {send.error !== undefined && <Refusal message={send.error} />}
    </ConfirmDialog>
  );
}

export function SendPayouts() {
  const rails = useQuery(railsQuery()).data?.data ?? [];
  const [rail, setRail] = useState<Rail>();
  const [isOpen, setOpen] = useState(false);
  const stopped = useStopped('payouts');
  const chosen = rails.find((one) => one.rail === rail);
  const waiting = rails.filter(({ count, held }) => count + held > 0);
  if (!useMay(sendPayouts) || waiting.length === 0) return null;
  return (
    <section aria-label="Send" className="grid gap-3">
      {stopped !== undefined && (
        <Banner kind="warn" inline>
          {stopped}
        </Banner>
      )}
      <ul className="lines">
        {waiting.map(({ rail: each, isSetUp, count, net, held }) => (
          <li key={each} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <span className="num">
              {count === 0 ? 'Nothing' : plural(count, 'payout')} by {RAIL_WORDS[each].name}
              {count > 0 && (
                <>
                  , <b className="font-semibold">{formatUsd(net)}</b>
                </>
              )}
              {held > 0 && (
                <UiLink
                  href={`${DESK_PATHS.adminPayouts}?queue=heldBack&rail=${each}`}
                  className="flex min-h-11 w-fit items-center text-small text-muted underline underline-offset-4"
                >
                  {held} on hold: can’t be paid now
                </UiLink>
              )}
            </span>
            {count === 0 ? null : isSetUp ? (
              <Button
                variant="ink"
                disabled={stopped !== undefined}
                onClick={() => {
                  setRail(each);
                  setOpen(true);
                }}
              >
                {RAIL_WORDS[each].make}
              </Button>
            ) : (
              <span className="text-small text-muted">Not configured</span>
            )}
          </li>
        ))}
      </ul>
      {chosen && <SendDialog key={chosen.rail} waiting={chosen} open={isOpen} onClose={() => setOpen(false)} />}
    </section>
  );
}
