import { getTipGoal, type TipGoal, tipGoalChanged } from '@stagedoor/contract/finance/tip-goals.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCount, formatDay, formatFutureDay, lowercaseDayWord } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { useSocketEvent } from '../../../platform/socket-events.ts';
import * as texts from './texts.ts';

export const tipGoalQuery = (creatorId: TipGoal['creatorId']) => apiQuery(getTipGoal, { params: { creatorId } });

function formatEnd({ endsAt, isOpen }: TipGoal, now: string): string {
  if (endsAt === null) return '';
  return isOpen
    ? formatText(texts.untilDate, { date: lowercaseDayWord(formatFutureDay(endsAt, now)) })
    : formatText(texts.endedOnDate, { date: lowercaseDayWord(formatDay(endsAt, now)) });
}

export function TipGoalProgress({ goal, now }: { goal: TipGoal; now: string }) {
  const { raised, target, isReached, tipCount } = goal;
  return (
    <>
      <p className="num flex flex-wrap items-baseline justify-between gap-x-3 pt-2">
        <span>
          <span className="font-semibold">{formatUsd(raised)}</span>
          <span className="text-muted"> {formatText(texts.ofTarget, { target: formatUsd(target) })}</span>
        </span>
        {isReached && <span className="font-semibold">{texts.reached}</span>}
      </p>
      <progress
        className="progress__bar my-2"
        aria-label={formatText(texts.raisedOfTarget, { raised: formatUsd(raised), target: formatUsd(target) })}
        max={target}
        value={Math.min(raised, target)}
      />
      <p className="num text-small text-muted">
        {tipCount === 0 ? texts.noTipsYet : formatCount(tipCount, 'tip')}
        {formatEnd(goal, now)}
      </p>
    </>
  );
}

/** @param tip The tip button. It is hidden once the goal has ended. */
export function TipGoalCard({
  creatorId,
  now,
  tip,
}: {
  creatorId: TipGoal['creatorId'];
  now: string;
  tip: (goal: TipGoal) => ReactNode;
}) {
  const { data } = useQuery(tipGoalQuery(creatorId));
  useSocketEvent(tipGoalChanged, (client, changed) => {
    if (changed.creatorId === creatorId) client.setQueryData(tipGoalQuery(creatorId).queryKey, { goal: changed.goal });
  });
  const goal = data?.goal;
  if (!goal) return null;
  return (
    <section aria-labelledby="goal" className="border-t-2 border-text pt-3">
      <p className="text-small text-muted">{texts.tipGoal}</p>
      <h2 id="goal" className="text-lead font-semibold wrap-anywhere">
        <bdi>{goal.title}</bdi>
      </h2>
      <TipGoalProgress goal={goal} now={now} />
      {goal.isOpen && <div className="pt-3">{tip(goal)}</div>}
    </section>
  );
}
