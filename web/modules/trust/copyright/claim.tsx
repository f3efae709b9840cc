import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import type { OwnDecision } from '@stagedoor/contract/trust/moderation.ts';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { CounterForm } from './counter-form.tsx';
import * as texts from './texts.ts';

function formatCounterNoticeStatus({ counter }: OwnDecision): string {
  if (counter === null) return '';
  const { reference, outcome, restoreFrom, restoreBy } = counter;
  if (outcome === 'restore') return formatText(texts.counterNoticeClosed, { reference });
  if (outcome === 'staysDown') return formatText(texts.counterNoticeInCourt, { reference });
  if (outcome === 'dismiss') return formatText(texts.counterNoticeDeclined, { reference });
  return formatText(texts.counterNoticeForwarded, {
    reference,
    restoreFrom: formatLongDay(restoreFrom),
    restoreBy: formatLongDay(restoreBy),
  });
}

/** Shows the copyright claim that led to a decision, and the form for a counter-notice. */
export function Claim({ decision }: { decision: OwnDecision }) {
  const [isOpen, setOpen] = useState(false);
  const { claim, canCounter, counter } = decision;
  if (claim === null) return null;
  return (
    <>
      <p className="pt-2 text-small">
        {formatNodes(texts.claimSummary, {
          claimantName: <bdi className="font-semibold">{claim.name}</bdi>,
          url: <bdi className="wrap-anywhere">{claim.url}</bdi>,
        })}
      </p>
      <p dir="auto" className="mt-1 border-l border-line pl-4 text-small whitespace-pre-line wrap-anywhere">
        {claim.work}
      </p>
      {counter !== null && <p className="pt-2 text-small text-muted">{formatCounterNoticeStatus(decision)}</p>}
      {canCounter && !isOpen && (
        <Button variant="line" className="mt-2" onClick={() => setOpen(true)}>
          {texts.sendACounterNotice}
        </Button>
      )}
      {canCounter && isOpen && <CounterForm decision={decision} onDone={() => setOpen(false)} />}
    </>
  );
}
