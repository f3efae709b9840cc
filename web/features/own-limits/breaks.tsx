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

const beginText = (days: BreakDays) => `Begin · ${WORDS[days]}`;

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
      title="A break from spending"
      lead="Until it ends you pay for nothing and add no funds. Nobody can shorten it, not even we."
      confirmText={beginText(days)}
      busy={isBusy}
      busyText="Beginning…"
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
      void showToast(
        limits.pausedUntil ? `You spend nothing until ${formatExact(limits.pausedUntil)}.` : '',
        'success',
      );
    },
  });
  return (
    <>
      <p className="text-muted">
        {pausedUntil
          ? `You take a break from spending until ${formatExact(pausedUntil)}. You can read, write and see what is yours.`
          : 'A break begins at once and cannot be shortened. Your balance and what you bought stay yours.'}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button icon="pause" onClick={() => setOpen('spending')}>
          {pausedUntil ? 'A longer break from spending' : 'A break from spending'}
        </Button>
        <Button icon="logout" onClick={() => setOpen('account')}>
          A break from the account
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
        title="A break from the account"
        lead="You are logged out everywhere, and nothing is sent to you. Log in once it ends: all is as you left it. Nobody can shorten it, not even we."
      >
        <AccountBreak askProof={askProof} />
      </Dialog>
    </>
  );
}
