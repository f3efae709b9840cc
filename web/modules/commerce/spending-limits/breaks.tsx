/** Breaks from spending or from the account. Neither can be shortened, and the page states this before it starts. */

import {
  BREAK_DAYS,
  type BreakDays,
  getSpendingLimits,
  startAccountBreak,
  startSpendingBreak,
} from '@stagedoor/contract/commerce/spending-limits.ts';
import type { Reauthentication } from '@stagedoor/contract/identity/accounts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatExactTime } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { api, useApiMutation } from '../../../platform/mutation.ts';
import { useApi } from '../../../platform/query.ts';
import { leaveSession } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { RadioRows } from '../../../ui/choice.tsx';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { setCachedLimits } from './spending-limits.tsx';
import * as texts from './texts.ts';

const BREAK_LABELS: Record<BreakDays, string> = { 1: '24 hours', 7: '7 days', 30: '30 days', 90: '90 days' };

const formatStartLabel = (days: BreakDays) => formatText(texts.startBreak, { duration: BREAK_LABELS[days] });

function DurationPicker({ days, onChange }: { days: BreakDays; onChange: (days: BreakDays) => void }) {
  return (
    <RadioRows
      plain
      name="days"
      label={texts.howLong}
      value={String(days)}
      onValueChange={(value) => onChange(BREAK_DAYS.find((each) => String(each) === value) ?? 1)}
      choices={BREAK_DAYS.map((each) => ({ value: String(each), title: BREAK_LABELS[each] }))}
    />
  );
}

type SpendingDialogProps = {
  open: boolean;
  error: Error | null;
  isBusy: boolean;
  onStart: (days: BreakDays) => void;
  onClose: () => void;
};

function SpendingDialog({ open, error, isBusy, onStart, onClose }: SpendingDialogProps) {
  const [days, setDays] = useState<BreakDays>(1);
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={texts.pauseSpending}
      lead={texts.pauseSpendingConsequence}
      confirmText={formatStartLabel(days)}
      busy={isBusy}
      busyText={texts.starting}
      onConfirm={() => onStart(days)}
    >
      <DurationPicker days={days} onChange={setDays} />
      {error && <InlineError message={error.message} />}
    </ConfirmDialog>
  );
}

export type RenderReauthentication = (props: {
  action: string;
  reauthenticate: (body: Reauthentication) => Promise<unknown>;
  onReauthenticated: () => void;
}) => ReactNode;

function AccountBreak({ renderReauthentication }: { renderReauthentication: RenderReauthentication }) {
  const client = useQueryClient();
  const [days, setDays] = useState<BreakDays>(1);
  return (
    <div className="grid gap-6">
      <DurationPicker days={days} onChange={setDays} />
      {renderReauthentication({
        action: formatStartLabel(days),
        reauthenticate: (body) => api(startAccountBreak, { body: { ...body, days } }, { showErrorMessage: false }),
        onReauthenticated: () => leaveSession(client, true),
      })}
    </div>
  );
}

/** A break from the account cannot be undone, so it requires the password. */
export function BreaksSection({ renderReauthentication }: { renderReauthentication: RenderReauthentication }) {
  const client = useQueryClient();
  const { breakUntil } = useApi(getSpendingLimits, {});
  const [open, setOpen] = useState<'spending' | 'account'>();
  const close = () => setOpen(undefined);
  const spending = useApiMutation(startSpendingBreak, {
    showErrorMessage: false,
    onSuccess: (limits) => {
      setCachedLimits(client, limits);
      close();
      void showToast(
        limits.breakUntil ? formatText(texts.spendingPausedUntil, { endTime: formatExactTime(limits.breakUntil) }) : '',
        'success',
      );
    },
  });
  return (
    <>
      <p className="text-muted">
        {breakUntil
          ? formatText(texts.spendingPausedNotice, { endTime: formatExactTime(breakUntil) })
          : texts.extendPauseConsequence}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button icon="pause" onClick={() => setOpen('spending')}>
          {breakUntil ? texts.extendSpendingPause : texts.pauseSpending}
        </Button>
        <Button icon="logout" onClick={() => setOpen('account')}>
          {texts.takeABreakFromStagedoor}
        </Button>
      </div>
      <SpendingDialog
        open={open === 'spending'}
        error={spending.error}
        isBusy={spending.isPending}
        onStart={(days) => spending.mutate({ body: { days } })}
        onClose={close}
      />
      <Dialog
        open={open === 'account'}
        onOpenChange={(isOpen) => !isOpen && close()}
        title={texts.takeABreakFromStagedoor}
        lead={texts.breakConsequence}
      >
        <AccountBreak renderReauthentication={renderReauthentication} />
      </Dialog>
    </>
  );
}
