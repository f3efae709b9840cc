/** Renders everything about calls above the current page, so that a running call survives navigation. */
import './calls.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { setCallFunds } from '../../../platform/call-funds.ts';
import { setCallRunning } from '../../../platform/running-call.ts';
import { useTopSpace } from '../../../platform/top-space.ts';
import { useUnsavedChanges } from '../../../platform/unsaved.ts';
import { suspendOpenDialogs } from '../../../ui/dialog-suspension.ts';
import { formatAnnouncement } from './announcements.ts';
import { CallOver } from './call-over.tsx';
import { type CallParts, CallPartsContext } from './call-parts.ts';
import { CallReceipt } from './call-receipt.tsx';
import { CallStage, useCallClock } from './call-stage.tsx';
import { DeviceCheck } from './device-check.tsx';
import { IncomingCall } from './incoming-call.tsx';
import { CallElsewhere, MinimizedCall } from './minimized-call.tsx';
import { dispatchCallAction, useCalls } from './session.ts';
import type { CallStageState, CallsState } from './state.ts';

const isOngoing = (at: CallStageState['at']) => at === 'talking' || at === 'calling';
const closeCall = () => dispatchCallAction({ type: 'close' });

function OpenReceipt({ id }: { id: string }) {
  useEffect(() => {
    addEventListener('popstate', closeCall);
    return () => removeEventListener('popstate', closeCall);
  }, []);
  return <CallReceipt id={id} onClose={closeCall} />;
}

function CurrentStage({ stage, isMinimized }: CallsState) {
  switch (stage.at) {
    case 'none':
      return null;
    case 'check':
      return <DeviceCheck target={stage.target} kind={stage.kind} />;
    case 'incoming':
      return <IncomingCall key={stage.offer.callLogId} stage={stage} />;
    case 'calling':
    case 'talking':
      return isMinimized ? <MinimizedCall stage={stage} /> : <CallStage stage={stage} />;
    case 'elsewhere':
      return <CallElsewhere call={stage.call} />;
    case 'over':
      return <CallOver end={stage.end} />;
    case 'receipt':
      return <OpenReceipt id={stage.callLogId} />;
  }
}

function CallAnnouncer({ stage }: { stage: CallStageState }) {
  const [announced, setAnnounced] = useState({ stage, text: '' });
  if (announced.stage !== stage)
    setAnnounced({ stage, text: formatAnnouncement(announced.stage, stage) ?? announced.text });
  return (
    <p data-call="" className="sr-only" role="status" aria-live="polite">
      {announced.text}
    </p>
  );
}

/** Lets every tip to this creator use what the fan can still spend in the call, also from other pages. */
function CallFundsPublisher({ stage }: { stage: Extract<CallStageState, { at: 'talking' }> }) {
  const { leftCents, bound } = useCallClock(stage);
  const creatorId = stage.call.other.id;
  const boundKind = bound?.kind;
  const boundCents = bound?.cents;
  useEffect(() => {
    if (leftCents === null) return;
    setCallFunds({
      creatorId,
      usd: leftCents / 100,
      bound: boundKind && boundCents !== undefined ? { kind: boundKind, left: boundCents / 100 } : null,
    });
    return () => setCallFunds(undefined);
  }, [creatorId, leftCents, boundKind, boundCents]);
  return null;
}

/** Hides dialogs of the page while the call covers it, because they would lie over the call and take its presses. */
function useSuspendedDialogs(isCovered: boolean): void {
  // Runs before the effects in which the call's own dialogs register.
  useLayoutEffect(() => (isCovered ? suspendOpenDialogs() : undefined), [isCovered]);
}

/** Lets links that would end the call open in a new tab. */
function useRunningCall(isRunning: boolean): void {
  useEffect(() => {
    setCallRunning(isRunning);
    return () => setCallRunning(false);
  }, [isRunning]);
}

/** Returns the focus after a call to the element that had it before. */
function useFocusRestore(isAway: boolean): void {
  const focusedRef = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isAway) focusedRef.current = document.activeElement;
  }, [isAway]);
  useEffect(() => {
    const previous = focusedRef.current;
    if (isAway || !(previous instanceof HTMLElement)) return;
    focusedRef.current = null;
    // Runs after a dialog has restored the focus to its own opener.
    const timer = setTimeout(() => {
      const { activeElement: now } = document;
      if (now === null || now === document.body || now.id === 'main') previous.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [isAway]);
}

/**
 * Whether the minimized call has its space above the page. The space remains until the user has closed the end of the
 * call, because the page must not move while the user does nothing.
 */
function useCallBarSpace({ stage: { at }, isMinimized }: CallsState): void {
  const isShown = at === 'elsewhere' || (isOngoing(at) && isMinimized);
  const [wasShown, setWasShown] = useState(isShown);
  const isReserved = isShown || (at === 'over' && wasShown);
  if (wasShown !== isReserved) setWasShown(isReserved);
  useTopSpace('callBar', isReserved);
}

export function CallLayer({ parts }: { parts: CallParts }) {
  const calls = useCalls();
  const { at } = calls.stage;
  useCallBarSpace(calls);
  // Leaving the document ends the call, so the browser shows its warning first.
  useUnsavedChanges(isOngoing(at));
  useSuspendedDialogs(at === 'incoming' || (isOngoing(at) && !calls.isMinimized));
  useRunningCall(isOngoing(at));
  useFocusRestore(at !== 'none' && at !== 'elsewhere');
  return (
    <CallPartsContext value={parts}>
      <CallAnnouncer stage={calls.stage} />
      {calls.stage.at === 'talking' && <CallFundsPublisher stage={calls.stage} />}
      <CurrentStage {...calls} />
    </CallPartsContext>
  );
}
