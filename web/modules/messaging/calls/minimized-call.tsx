/** The minimised view of a running call, and the bar for a call that runs on another device. */

import type { OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { useEffect, useRef } from 'react';
import { formatCallDuration } from '../../../platform/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { StreamVideo } from './call-elements.tsx';
import { CALL_KIND_LABELS } from './call-labels.ts';
import { formatLowFunds, useCallClock } from './call-stage.tsx';
import { setMicrophoneMuted, useOwnMedia } from './own-media.ts';
import { continueCallHere, dispatchCallAction, endCurrentCall, useOtherSide } from './session.ts';
import { type CallStageState, isRunning } from './state.ts';

export function MinimizedCall({ stage }: { stage: Extract<CallStageState, { at: 'talking' }> }) {
  const { call } = stage;
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) opener.current?.focus();
  }, []);
  const displayedClock = useCallClock(stage);
  const { stream, activeMedia: otherMedia } = useOtherSide();
  const { isMuted, speaker } = useOwnMedia();
  const hasPicture = call.kind === 'video' && otherMedia.video;
  const isLow = stage.warnSeconds !== null && displayedClock.leftCents !== null;
  const statusText = !isRunning(stage)
    ? 'Reconnecting, not charged'
    : isLow
      ? `${formatCents(displayedClock.leftCents ?? 0)} left`
      : formatCents(displayedClock.cents);
  return (
    <section data-call="" className="call-small" aria-label={`${CALL_KIND_LABELS[call.kind]} with ${call.other.name}`}>
      <div className="call-small__picture">
        {!hasPicture && <Avatar name={call.other.name} src={call.other.avatarUrl} />}
        {stream && (
          <StreamVideo
            stream={stream}
            speaker={speaker}
            label={`${call.other.name}’s video`}
            className={hasPicture ? undefined : 'sr-only'}
          />
        )}
      </div>
      <p className="sr-only" role="status">
        {!isRunning(stage) ? 'Reconnecting. Nothing is charged.' : isLow ? formatLowFunds(stage) : ''}
      </p>
      <button
        ref={opener}
        type="button"
        className="call-small__open"
        onClick={() => dispatchCallAction({ type: 'small', isMinimized: false })}
      >
        <span className="sr-only">Back to the call: </span>
        <bdi className="one-line text-small font-semibold">{call.other.name}</bdi>
        <span className="call-small__time">{formatCallDuration(displayedClock.seconds)}</span>
        <span className={isLow ? 'call-warn num text-cap' : 'num text-cap text-muted'}>{statusText}</span>
      </button>
      <IconButton
        icon={isMuted ? 'mic-off' : 'mic'}
        label={isMuted ? 'Unmute microphone' : 'Mute microphone'}
        aria-pressed={isMuted}
        onClick={() => setMicrophoneMuted(!isMuted)}
      />
      <button type="button" className="call-end" aria-label="End call" onClick={endCurrentCall}>
        <Icon name="hangup" />
      </button>
    </section>
  );
}

export function CallElsewhere({ call }: { call: OpenCall }) {
  const isAnswered = call.status === 'received';
  return (
    <section data-call="" className="call-small" aria-label="Call on another device">
      <div className="call-small__picture">
        <Avatar name={call.other.name} src={call.other.avatarUrl} />
      </div>
      <div className="min-w-0">
        <bdi className="one-line block font-semibold">{call.other.name}</bdi>
        <span className="text-small text-muted">
          {isAnswered ? 'In a call on another device' : 'Calling from another device'}
        </span>
      </div>
      {isAnswered && <Button onClick={() => continueCallHere(call)}>Switch to this device</Button>}
      <IconButton icon="close" label="Close" onClick={() => dispatchCallAction({ type: 'close' })} />
    </section>
  );
}
