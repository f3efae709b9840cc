import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import type { OwnDecision } from '@stagedoor/contract/trust/moderation.ts';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { CounterForm } from './counter-form.tsx';

function formatCounterNoticeStatus({ counter }: OwnDecision): string {
  if (counter === null) return '';
  const { reference, outcome, restoreFrom, restoreBy } = counter;
  if (outcome === 'restore') return `Your counter-notice ${reference} is closed.`;
  if (outcome === 'staysDown')
    return `The claimant filed a court action after your counter-notice ${reference}. The content stays down for now.`;
  if (outcome === 'dismiss') return `We declined your counter-notice ${reference}. Check your email for details.`;
  return `Your counter-notice ${reference} was forwarded. Unless they file a court action, your content will be restored between ${formatLongDay(restoreFrom)} and ${formatLongDay(restoreBy)}.`;
}

/** Shows the copyright claim that led to a decision, and the form for a counter-notice. */
export function Claim({ decision }: { decision: OwnDecision }) {
  const [isOpen, setOpen] = useState(false);
  const { claim, canCounter, counter } = decision;
  if (claim === null) return null;
  return (
    <>
      <p className="pt-2 text-small">
        <bdi className="font-semibold">{claim.name}</bdi> claims this content:{' '}
        <bdi className="wrap-anywhere">{claim.url}</bdi>
      </p>
      <p dir="auto" className="mt-1 border-l border-line pl-4 text-small whitespace-pre-line wrap-anywhere">
        {claim.work}
      </p>
      {counter !== null && <p className="pt-2 text-small text-muted">{formatCounterNoticeStatus(decision)}</p>}
      {canCounter && !isOpen && (
        <Button variant="line" className="mt-2" onClick={() => setOpen(true)}>
          Send a counter-notice
        </Button>
      )}
      {canCounter && isOpen && <CounterForm decision={decision} onDone={() => setOpen(false)} />}
    </>
  );
}
