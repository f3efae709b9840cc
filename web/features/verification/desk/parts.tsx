/** Parts that the desk's pages share: the clock of a promise, and who may sit here. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { useEffect, useRef } from 'react';
import '../verification.css';
import { Lamp } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { clockOf } from '../words.ts';

/** `now` in ISO form. */
export function DeskClock({ answerBy, now }: { answerBy: string; now: string }) {
  const { lamp, words } = clockOf(answerBy, now);
  if (lamp === 'danger')
    return (
      <span className="v-clock num text-danger">
        <Icon name="warning" size={16} />
        {words}
      </span>
    );
  return (
    <span className="v-clock num">
      <Lamp state={lamp}>{words}</Lamp>
    </span>
  );
}

/** A desk's head takes the focus, so that its keys are heard at once. */
export function DeskHead({ children }: { children: string }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus({ preventScroll: true }), []);
  return (
    <h1 ref={head} tabIndex={-1} className="display d3 min-w-0 wrap-anywhere focus:outline-none">
      {children}
    </h1>
  );
}

export function NeedsSecondFactor() {
  return (
    <>
      <h1 className="sr-only">Verification</h1>
      <EmptyState
        line="Operators log in with a second factor."
        more="What creators show of themselves is seen by nobody who has only a password."
        action={<Button href={PATHS.adminSettings}>Set up two-factor log-in</Button>}
      />
    </>
  );
}
