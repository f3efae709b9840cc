import { createTipGoal, endTipGoal, type TipGoal, tipGoalBody } from '@stagedoor/contract/finance/tip-goals.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { TIP_GOAL_CENTS, TIP_GOAL_DAYS } from '@stagedoor/contract/shared/limits.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { parseUsd } from '@stagedoor/contract/shared/money-input.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { showToast } from '../../../platform/feedback.ts';
import { validateFields } from '../../../platform/forms.ts';
import { MoneyField } from '../../../platform/money-field.tsx';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import * as texts from './texts.ts';
import { TipGoalProgress, tipGoalQuery } from './tip-goal-card.tsx';

const END_OPTIONS = [
  { value: '', label: texts.noEndDate },
  ...[7, 14, 30, 60, 90]
    .filter((days) => days <= TIP_GOAL_DAYS.max)
    .map((days) => ({ value: `${days}`, label: formatText(texts.inDays, { days }) })),
];

function TipGoalForm({ creatorId }: { creatorId: TipGoal['creatorId'] }) {
  const client = useQueryClient();
  const [title, setTitle] = useState('');
  const [amountText, setAmountText] = useState('');
  const [days, setDays] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const create = useApiMutation(createTipGoal, {
    showErrorMessage: false,
    onSuccess: (response) => {
      client.setQueryData(tipGoalQuery(creatorId).queryKey, response);
      void showToast(texts.goalAddedToast, 'success');
    },
    onError: (error) => {
      const fieldErrors = error instanceof ApiError ? error.fields : {};
      setErrors(fieldErrors);
      if (Object.keys(fieldErrors).length === 0) void showToast(error.message, 'error');
    },
  });
  useUnsavedChanges(title !== '' || amountText !== '', create.isPending);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const body = { title, target: parseUsd(amountText) ?? 0, days: days === '' ? null : Number(days) };
    const fieldErrors = validateFields(tipGoalBody, body);
    setErrors(fieldErrors);
    if (Object.keys(fieldErrors).length === 0 && !create.isPending) create.mutate({ body });
  };
  return (
    <form className="form" onSubmit={send} noValidate>
      <TextField
        label={texts.goalTitle}
        required
        value={title}
        error={errors.title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <div className="form__pair">
        <MoneyField
          label={texts.targetAmount}
          required
          hint={formatText(texts.targetLimits, {
            min: formatCents(TIP_GOAL_CENTS.min),
            max: formatCents(TIP_GOAL_CENTS.max),
          })}
          value={amountText}
          error={errors.target}
          onChange={(event) => setAmountText(event.currentTarget.value)}
        />
        <SelectField
          label={texts.endDate}
          options={END_OPTIONS}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" className="justify-self-start" busy={create.isPending} busyText={texts.starting}>
        {texts.startGoal}
      </Button>
    </form>
  );
}

function RunningTipGoal({ goal, now }: { goal: TipGoal; now: string }) {
  const client = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const endMutation = useApiMutation(endTipGoal, {
    onSuccess: (response) => {
      client.setQueryData(tipGoalQuery(goal.creatorId).queryKey, response);
      setConfirming(false);
      void showToast(texts.goalEndedToast, 'success');
    },
  });
  return (
    <div className="grid max-w-[480px]">
      <p className="font-semibold wrap-anywhere">
        <bdi>{goal.title}</bdi>
      </p>
      <TipGoalProgress goal={goal} now={now} />
      <Button className="mt-3 justify-self-start" onClick={() => setConfirming(true)}>
        {texts.endGoal}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={texts.endGoalQuestion}
        confirmText={texts.endGoal}
        busy={endMutation.isPending}
        onConfirm={() => endMutation.mutate({ params: { id: goal.id } })}
      >
        <p>{texts.endGoalConsequence}</p>
      </ConfirmDialog>
    </div>
  );
}

export function OwnTipGoal({ creatorId, now }: { creatorId: TipGoal['creatorId']; now: string }) {
  const { data, isError, refetch } = useQuery(tipGoalQuery(creatorId));
  return (
    <section aria-labelledby="own-goal" className="grid gap-4">
      <div>
        <h2 id="own-goal" className="text-lead font-semibold">
          {texts.tipGoal}
        </h2>
        <p className="text-small text-muted">{texts.tipGoalHint}</p>
      </div>
      {!data ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows count={2} />
        )
      ) : data.goal ? (
        <RunningTipGoal goal={data.goal} now={now} />
      ) : (
        <TipGoalForm creatorId={creatorId} />
      )}
    </section>
  );
}
