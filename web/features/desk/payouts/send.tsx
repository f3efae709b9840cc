/** Sending: all that is approved of one kind, together. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import {
  listDeskPayouts,
  listPayoutBatches,
  RAILS,
  type Rail,
  readDeskPayout,
  sendPayouts,
} from '@stagedoor/contract/payout-desk.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { plural } from '../../../kernel/dates.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Refusal } from '../../../ui/refusal.tsx';
import { useDeskAct } from '../acts.ts';
import { RAIL_WORDS } from './words.ts';

const WHAT: Readonly<Record<Rail, string>> = {
  ach: 'All that is approved for bank accounts in the USA goes into one file. Its money counts as on its way from then on: upload the file at the bank today.',
  wire: 'All that is approved for banks abroad goes into one list, with whole account numbers. A person sends each.',
  paypal: 'All that is approved for PayPal is handed over at once. PayPal pays it out without asking again.',
  crypto:
    'All that is approved in coins goes into one list, with whole addresses. A person sends each, and notes its transaction.',
};

export function SendPayouts() {
  const navigate = useNavigate();
  const [rail, setRail] = useState<Rail>();
  const [isOpen, setOpen] = useState(false);
  const send = useDeskAct(sendPayouts, {
    forget: [listDeskPayouts, listPayoutBatches, readDeskPayout],
    done: ({ count, net }) => `${plural(count, 'payout')} of ${formatUsd(net)} together are on their way.`,
    onDone: () => void navigate(PATHS.adminPayoutBatches),
  });
  return (
    <section aria-label="Send" className="grid gap-2">
      <div className="flex flex-wrap gap-3">
        {RAILS.map((each) => (
          <Button
            key={each}
            onClick={() => {
              send.reset();
              setRail(each);
              setOpen(true);
            }}
          >
            {RAIL_WORDS[each].make}
          </Button>
        ))}
      </div>
      {rail && (
        <ConfirmDialog
          open={isOpen}
          onOpenChange={setOpen}
          title={`${RAIL_WORDS[rail].make}?`}
          lead={WHAT[rail]}
          confirmText={RAIL_WORDS[rail].make}
          busy={send.isPending}
          busyText="Putting it on its way…"
          onConfirm={() => send.send({ body: { rail } })}
        >
          {send.error !== undefined && <Refusal message={send.error} />}
        </ConfirmDialog>
      )}
    </section>
  );
}
