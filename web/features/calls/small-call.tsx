/** The minimised view of a running call, and the bar that says that the call runs on another device. */
import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import type { OpenCall } from '@stagedoor/contract/calls.ts';
import { useEffect, useRef } from 'react';
import { formatTalk } from '../../kernel/dates.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { setMuted, useOwnMedia } from './own-media.ts';
import { Playing } from './pieces.tsx';
import { continueHere, hangUp, happen, useOther } from './session.ts';
import { lowWords, useShownClock } from './stage.tsx';
import { isRunning, type Stage } from './state.ts';
import { KIND_WORDS } from './words.ts';

export function SmallCall({ stage }: { stage: Extract<Stage, { at: 'talking' }> }) {
  const { call } = stage;
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) opener.current?.focus();
  }, []);
  const shown = useShownClock(stage);
  const { stream, shown: theirs } = useOther();
  const { isMuted, speaker } = useOwnMedia();
  const hasPicture = call.kind === 'video' && theirs.video;
  const isLow = stage.warnSeconds !== null && shown.leftCents !== null;
  const line = !isRunning(stage)
    ? 'Reconnecting, not charged'
    : isLow
      ? `${formatCents(shown.leftCents ?? 0)} left`
      : formatCents(shown.cents);
  return (
    <section data-call="" className="call-small" aria-label={`${KIND_WORDS[call.kind]} with ${call.other.name}`}>
      <div className="call-small__picture">
        {!hasPicture && <Avatar name={call.other.name} src={call.other.avatarUrl} />}
        {stream && (
          <Playing
            stream={stream}
            speaker={speaker}
            label={`${call.other.name}’s video`}
            className={hasPicture ? undefined : 'sr-only'}
          />
        )}
      </div>
      <p className="sr-only" role="status">
        {!isRunning(stage) ? 'Reconnecting. Nothing is charged.' : isLow ? lowWords(stage) : ''}
      </p>
      <button
        ref={opener}
        type="button"
        className="call-small__open"
        onClick={() => happen({ type: 'small', isSmall: false })}
      >
        <span className="sr-only">Back to the call: </span>
        <bdi className="one-line text-small font-semibold">{call.other.name}</bdi>
        <span className="call-small__time">{formatTalk(shown.seconds)}</span>
        <span className={isLow ? 'call-warn num text-cap' : 'num text-cap text-muted'}>{line}</span>
      </button>
      <IconButton
        icon={isMuted ? 'mic-off' : 'mic'}
        label={isMuted ? 'Unmute microphone' : 'Mute microphone'}
        aria-pressed={isMuted}
        onClick={() => setMuted(!isMuted)}
      />
      <button type="button" className="call-end" aria-label="End call" onClick={hangUp}>
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
      {isAnswered && <Button onClick={() => continueHere(call)}>Switch to this device</Button>}
      <IconButton icon="close" label="Close" onClick={() => happen({ type: 'close' })} />
    </section>
  );
}
