/**
 * An operator's request that a second operator confirms. Any operator can refuse it, and the requester can withdraw it.
 */
import { type ReactNode, useState } from 'react';
import { formatExact } from '../../kernel/dates.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { isGround, WHY } from './settings/draft.tsx';

export type Decision = 'confirm' | 'refuse';

export function Said({ ground, at }: { ground: string; at: string }) {
  return (
    <p className="text-small text-muted wrap-anywhere">
      “<bdi>{ground}</bdi>” <span className="num">{formatExact(at)}</span>
    </p>
  );
}

interface WaitsForSecondProps {
  name: string;
  wish: ReactNode;
  said: { ground: string; at: string };
  /** The rule that applies until the request is decided. */
  note: string;
  children?: ReactNode;
  isOwn: boolean;
  confirmWords: string;
  busyWords: string;
  act: { may: boolean; error?: string | undefined; isPending: boolean };
  onDecide: (decision: Decision, ground: string) => void;
}

export function WaitsForSecond({
  name,
  wish,
  said,
  note,
  children,
  isOwn,
  confirmWords,
  busyWords,
  act,
  onDecide,
}: WaitsForSecondProps) {
  const [ground, setGround] = useState('');
  return (
    <section
      aria-label={`Awaiting second approval: ${name}`}
      className="grid gap-4 rounded-lg border border-line p-4 sm:p-5"
    >
      <p className="font-semibold wrap-anywhere">{wish}</p>
      <Said {...said} />
      <p className="text-small">{note}</p>
      {children}
      {act.may && (
        <>
          <TextField {...WHY} required value={ground} onChange={(event) => setGround(event.currentTarget.value)} />
          {act.error !== undefined && <Refusal message={act.error} />}
          <div className="flex flex-wrap gap-3">
            {!isOwn && (
              <Button
                variant="primary"
                disabled={!isGround(ground)}
                busy={act.isPending}
                busyText={busyWords}
                onClick={() => onDecide('confirm', ground)}
              >
                {confirmWords}
              </Button>
            )}
            <Button disabled={!isGround(ground) || act.isPending} onClick={() => onDecide('refuse', ground)}>
              {isOwn ? 'Withdraw' : 'Reject'}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
