import { GOAL_CENTS, GOAL_DAYS } from '@stagedoor/contract/atoms/limits.ts';
import { formatCents, readUsd } from '@stagedoor/contract/atoms/money.ts';
import { endGoal, type Goal, goalBody, setGoal } from '@stagedoor/contract/goals.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../kernel/api-error.ts';
import { complaints } from '../../kernel/forms.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { useStake } from '../../kernel/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { GoalFigures, goalQuery } from './goal-card.tsx';

const ENDS = [
  { value: '', label: 'No end date' },
  ...[7, 14, 30, 60, 90]
    .filter((days) => days <= GOAL_DAYS.max)
    .map((days) => ({ value: `${days}`, label: `In ${days} days` })),
];

function GoalForm({ creatorId }: { creatorId: Goal['creatorId'] }) {
  const client = useQueryClient();
  const [title, setTitle] = useState('');
  const [sum, setSum] = useState('');
  const [days, setDays] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const begin = useApiMutation(setGoal, {
    showErrorMessage: false,
    onSuccess: (answer) => {
      client.setQueryData(goalQuery(creatorId).queryKey, answer);
      void showToast('Goal added to your profile.', 'success');
    },
    onError: (error) => {
      const found = error instanceof ApiError ? error.fields : {};
      setErrors(found);
      if (Object.keys(found).length === 0) void showToast(error.message, 'error');
    },
  });
  useStake(title !== '' || sum !== '', begin.isPending);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const body = { title, target: readUsd(sum) ?? 0, days: days === '' ? null : Number(days) };
    const found = complaints(goalBody, body);
    setErrors(found);
    if (Object.keys(found).length === 0 && !begin.isPending) begin.mutate({ body });
  };
  return (
    <form className="form" onSubmit={send} noValidate>
      <TextField
        label="Goal title"
        required
        value={title}
        error={errors.title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <div className="form__pair">
        <TextField
          label="Target amount"
          prefix="$"
          required
          inputMode="decimal"
          autoComplete="off"
          hint={`From ${formatCents(GOAL_CENTS.min)} to ${formatCents(GOAL_CENTS.max)}`}
          value={sum}
          error={errors.target}
          onChange={(event) => setSum(event.currentTarget.value)}
        />
        <SelectField
          label="Ends"
          options={ENDS}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </div>
      <Button type="submit" className="justify-self-start" busy={begin.isPending} busyText="Starting…">
        Start goal
      </Button>
    </form>
  );
}

function Running({ goal, now }: { goal: Goal; now: string }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const end = useApiMutation(endGoal, {
    onSuccess: (answer) => {
      client.setQueryData(goalQuery(goal.creatorId).queryKey, answer);
      setAsking(false);
      void showToast('Goal ended.', 'success');
    },
  });
  return (
    <div className="grid max-w-[480px]">
      <p className="font-semibold wrap-anywhere">
        <bdi>{goal.title}</bdi>
      </p>
      <GoalFigures goal={goal} now={now} />
      <Button className="mt-3 justify-self-start" onClick={() => setAsking(true)}>
        End goal
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="End this goal?"
        confirmText="End goal"
        busy={end.isPending}
        onConfirm={() => end.mutate({ params: { id: goal.id } })}
      >
        <p>It will be removed from your profile. You keep the tips.</p>
      </ConfirmDialog>
    </div>
  );
}

export function OwnGoal({ creatorId, now }: { creatorId: Goal['creatorId']; now: string }) {
  const { data, isError, refetch } = useQuery(goalQuery(creatorId));
  return (
    <section aria-labelledby="own-goal" className="grid gap-4">
      <div>
        <h2 id="own-goal" className="text-lead font-semibold">
          Tip goal
        </h2>
        <p className="text-small text-muted">Show fans what you’re raising tips for. Your payouts don’t change.</p>
      </div>
      {!data ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows count={2} />
        )
      ) : data.goal ? (
        <Running goal={data.goal} now={now} />
      ) : (
        <GoalForm creatorId={creatorId} />
      )}
    </section>
  );
}
