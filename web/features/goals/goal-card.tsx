import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { type Goal, getGoal, goalChanged } from '@stagedoor/contract/goals.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatComingDay, formatDay, plural, withinSentence } from '../../kernel/dates.ts';
import { useLive } from '../../kernel/live.ts';
import { apiQuery } from '../../kernel/query.ts';

export const goalQuery = (creatorId: Goal['creatorId']) => apiQuery(getGoal, { params: { creatorId } });

function until({ endsAt, isOpen }: Goal, now: string): string {
  if (endsAt === null) return '';
  return isOpen
    ? ` · until ${withinSentence(formatComingDay(endsAt, now)).replace('Tomorrow', 'tomorrow')}`
    : ` · ended ${withinSentence(formatDay(endsAt, now))}`;
}

export function GoalFigures({ goal, now }: { goal: Goal; now: string }) {
  const { raised, target, isReached, tipCount } = goal;
  return (
    <>
      <p className="num flex flex-wrap items-baseline justify-between gap-x-3 pt-2">
        <span>
          <span className="font-semibold">{formatUsd(raised)}</span>
          <span className="text-muted"> of {formatUsd(target)}</span>
        </span>
        {isReached && <span className="font-semibold">Reached</span>}
      </p>
      <progress
        className="progress__bar my-2"
        aria-label={`${formatUsd(raised)} of ${formatUsd(target)}`}
        max={target}
        value={Math.min(raised, target)}
      />
      <p className="num text-small text-muted">
        {tipCount === 0 ? 'No tips yet' : plural(tipCount, 'tip')}
        {until(goal, now)}
      </p>
    </>
  );
}

/** @param tip The tip button. It is hidden once the goal has ended. */
export function GoalCard({
  creatorId,
  now,
  tip,
}: {
  creatorId: Goal['creatorId'];
  now: string;
  tip: (goal: Goal) => ReactNode;
}) {
  const { data } = useQuery(goalQuery(creatorId));
  useLive(goalChanged, (client, told) => {
    if (told.creatorId === creatorId) client.setQueryData(goalQuery(creatorId).queryKey, { goal: told.goal });
  });
  const goal = data?.goal;
  if (!goal) return null;
  return (
    <section aria-labelledby="goal" className="border-t-2 border-text pt-3">
      <p className="text-small text-muted">Tip goal</p>
      <h2 id="goal" className="text-lead font-semibold wrap-anywhere">
        <bdi>{goal.title}</bdi>
      </h2>
      <GoalFigures goal={goal} now={now} />
      {goal.isOpen && <div className="pt-3">{tip(goal)}</div>}
    </section>
  );
}
