/** The warning before the money of a call ends. It offers a deposit only if the balance ends the call, not a limit. */
import type { SpendingBound } from '@stagedoor/contract/commerce/spending-bounds.ts';
import { profilePath, SPENDING_LIMITS_PATH } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { addFundsHref } from '../../../platform/address.ts';
import { formatSpendingBound } from '../../../platform/spending-bound.tsx';
import { Button } from '../../../ui/button.tsx';
import { type DisplayedClock, findLimitEnd } from './clock.ts';
import { dispatchCallAction } from './session.ts';
import type { CallStageState } from './state.ts';
import * as texts from './texts.ts';

type Talking = Extract<CallStageState, { at: 'talking' }>;
type LimitEnd = SpendingBound['kind'] | undefined;

/** Adding funds during a call begins with the price of this many minutes. */
const PREFILLED_MINUTES = 10;
const toFundsHref = ({ call }: Talking) =>
  addFundsHref(call.session.amountPerMinute * PREFILLED_MINUTES, profilePath(call.other.username));

export function formatLowFunds({ warnSeconds }: Talking, limitEnd: LimitEnd): string {
  const isLast = (warnSeconds ?? 0) <= (CALL_LIMITS.warnSeconds.at(-1) ?? 0);
  const timeLeft = isLast ? texts.under30SecondsLeft : texts.under2MinutesLeft;
  return limitEnd === undefined ? timeLeft : formatText(texts.leftOfSpendingLimit, { timeLeft });
}

/** Opens in a new tab, so that the call goes on. */
export function CallFundsLink({
  stage,
  limitEnd,
  isProminent = false,
}: {
  stage: Talking;
  limitEnd: LimitEnd;
  isProminent?: boolean;
}) {
  return (
    <Button
      href={limitEnd === undefined ? toFundsHref(stage) : SPENDING_LIMITS_PATH}
      target="_blank"
      {...(isProminent && { variant: 'ink', className: 'flex-1' })}
    >
      {limitEnd === undefined ? texts.addFunds : texts.spendingLimits}
    </Button>
  );
}

function formatHint(limitEnd: LimitEnd, { bound }: DisplayedClock): string {
  if (limitEnd === undefined || !bound) return texts.lowFundsHint;
  const limit = formatSpendingBound({ kind: bound.kind, left: bound.cents / 100 });
  return formatText(texts.limitEndHint, { limit });
}

export function LowFundsNotice({ stage, displayedClock }: { stage: Talking; displayedClock: DisplayedClock }) {
  const limitEnd = findLimitEnd(displayedClock);
  return (
    <div className="call-slip">
      <div className="call-slip__row">
        <b>{formatLowFunds(stage, limitEnd)}</b>
        <span className="text-small text-muted" aria-hidden="true">
          {formatCents(displayedClock.leftCents ?? 0)}
        </span>
      </div>
      <p className="text-small text-muted">{formatHint(limitEnd, displayedClock)}</p>
      <div className="call-slip__acts">
        <CallFundsLink stage={stage} limitEnd={limitEnd} isProminent />
        <Button variant="quiet" onClick={() => dispatchCallAction({ type: 'warningSeen' })}>
          {texts.notNow}
        </Button>
      </div>
    </div>
  );
}
