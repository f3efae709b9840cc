/** Renders everything about calls above the current page, so that a running call survives navigation. */
import './calls.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { DeviceCheck } from './device-check.tsx';
import { Incoming } from './incoming.tsx';
import { CallOver } from './over.tsx';
import { type CallParts, CallPartsContext } from './parts.ts';
import { Receipt } from './receipt.tsx';
import { happen, useCalls } from './session.ts';
import { CallElsewhere, SmallCall } from './small-call.tsx';
import { spokenWords } from './spoken.ts';
import { CallStage } from './stage.tsx';
import type { CallsState, Stage } from './state.ts';

const close = () => happen({ type: 'close' });

function OpenReceipt({ id }: { id: string }) {
  useEffect(() => {
    addEventListener('popstate', close);
    return () => removeEventListener('popstate', close);
  }, []);
  return <Receipt id={id} onClose={close} />;
}

function Shown({ stage, isSmall }: CallsState) {
  switch (stage.at) {
    case 'none':
      return null;
    case 'check':
      return <DeviceCheck target={stage.target} kind={stage.kind} />;
    case 'incoming':
      return <Incoming key={stage.offer.callLogId} stage={stage} />;
    case 'calling':
      return <CallStage stage={stage} />;
    case 'talking':
      return isSmall ? <SmallCall stage={stage} /> : <CallStage stage={stage} />;
    case 'elsewhere':
      return <CallElsewhere call={stage.call} />;
    case 'over':
      return <CallOver end={stage.end} />;
    case 'receipt':
      return <OpenReceipt id={stage.callLogId} />;
  }
}

function Told({ stage }: { stage: Stage }) {
  const [told, setTold] = useState({ stage, words: '' });
  if (told.stage !== stage) setTold({ stage, words: spokenWords(told.stage, stage) ?? told.words });
  return (
    <p data-call="" className="sr-only" role="status" aria-live="polite">
      {told.words}
    </p>
  );
}

/** Returns the focus after a call to the element that had it before. */
function usePlaceBefore(isAway: boolean): void {
  const place = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isAway) place.current = document.activeElement;
  }, [isAway]);
  useEffect(() => {
    const before = place.current;
    if (isAway || !(before instanceof HTMLElement)) return;
    place.current = null;
    // Runs after a dialog has restored the focus to its own opener.
    const timer = setTimeout(() => {
      const { activeElement: now } = document;
      if (now === null || now === document.body || now.id === 'main') before.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [isAway]);
}

export function CallLayer({ parts }: { parts: CallParts }) {
  const calls = useCalls();
  const { at } = calls.stage;
  usePlaceBefore(at !== 'none' && at !== 'elsewhere');
  return (
    <CallPartsContext value={parts}>
      <Told stage={calls.stage} />
      <Shown {...calls} />
    </CallPartsContext>
  );
}
