/** Breaks from spending or from the account. Neither can be shortened, and the page says so before it starts. */
import type { Proof } from '@stagedoor/contract/accounts.ts';
import {
  BREAK_DAYS,
  type BreakDays,
  beginAccountBreak,
  beginSpendingBreak,
  getOwnLimits,
} from '@stagedoor/contract/own-limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatExact } from '../../kernel/dates.ts';
import { api, useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { useApi } from '../../kernel/query.ts';
import { leave } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { RadioRows } from '../../ui/choice.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { keepLimits } from './spending-limits.tsx';

const WORDS: Record<BreakDays, string> = { 1: '24 hours', 7: '7 days', 30: '30 days', 90: '90 days' };

const beginText = (days: BreakDays) => `Start · ${WORDS[days]}`;

function HowLong({ days, onChange }: { days: BreakDays; onChange: (days: BreakDays) => void }) {
  return (
    <RadioRows
      plain
      name="days"
      label="How long"
      value={String(days)}
      onValueChange={(value) => onChange(BREAK_DAYS.find((each) => String(each) === value) ?? 1)}
      choices={BREAK_DAYS.map((each) => ({ value: String(each), title: WORDS[each] }))}
    />
  );
}

type SpendingDialogProps = {
  open: boolean;
  error: Error | null;
  isBusy: boolean;
  onBegin: (days: BreakDays) => void;
  onClose: () => void;
};

function SpendingDialog({ open, error, isBusy, onBegin, onClose }: SpendingDialogProps) {
  const [days, setDays] = useState<BreakDays>(1);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Pause spending"
      lead="You can’t spend or add funds until it ends. No one can end it early, not even us."
      confirmText={beginText(days)}
      busy={isBusy}
      busyText="Starting…"
      onConfirm={() => onBegin(days)}
    >
      <HowLong days={days} onChange={setDays} />
      {error && <Refusal message={error.message} />}
    </ConfirmDialog>
  );
}

export type AskProof = (asked: {
  action: string;
  prove: (proof: Proof) => Promise<unknown>;
  onProven: () => void;
}) => ReactNode;

function AccountBreak({ askProof }: { askProof: AskProof }) {
  const client = useQueryClient();
  const [days, setDays] = useState<BreakDays>(1);
  return (
    <div className="grid gap-6">
      <HowLong days={days} onChange={setDays} />
      {askProof({
        action: beginText(days),
        prove: (proof) => api(beginAccountBreak, { body: { ...proof, days } }, { showErrorMessage: false }),
        onProven: () => leave(client, true),
      })}
    </div>
  );
}

/** A break from the account cannot be undone, so it requires the password. */
export function Breaks({ askProof }: { askProof: AskProof }) {
  const client = useQueryClient();
  const { pausedUntil } = useApi(getOwnLimits, {});
  const [open, setOpen] = useState<'spending' | 'account'>();
  const close = () => setOpen(undefined);
  const spending = useApiMutation(beginSpendingBreak, {
    showErrorMessage: false,
    onSuccess: (limits) => {
      keepLimits(client, limits);
      close();
      void showToast(limits.pausedUntil ? `Spending paused until ${formatExact(limits.pausedUntil)}.` : '', 'success');
    },
  });
  return (
    <>
      <p className="text-muted">
        {pausedUntil
          ? `Spending is paused until ${formatExact(pausedUntil)}. You can still chat and view your purchases.`
          : 'Starts right away and can’t be shortened. You keep your balance and purchases.'}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button icon="pause" onClick={() => setOpen('spending')}>
          {pausedUntil ? 'Extend spending pause' : 'Pause spending'}
        </Button>
        <Button icon="logout" onClick={() => setOpen('account')}>
          Take a break from Stagedoor
        </Button>
      </div>
      <SpendingDialog
        open={open === 'spending'}
        error={spending.error}
        isBusy={spending.isPending}
        onBegin={(days) => spending.mutate({ body: { days } })}
        onClose={close}
      />
      <Dialog
        open={open === 'account'}
        onOpenChange={(isOpen) => !isOpen && close()}
        title="Take a break from Stagedoor"
        lead="You’ll be logged out everywhere and won’t hear from us. When it ends, log in and pick up where you left off. No one can end it early, not even us."
      >
        <AccountBreak askProof={askProof} />
      </Dialog>
    </>
  );
}
