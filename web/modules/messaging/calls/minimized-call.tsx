/** The minimised view of a running call, and the bar for a call that runs on another device. */

import type { OpenCall } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { useEffect, useRef } from 'react';
import { formatCallDuration } from '../../../platform/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { StreamVideo } from './call-elements.tsx';
import { CALL_KIND_LABELS } from './call-labels.ts';
import { useCallClock } from './call-stage.tsx';
import { findLimitEnd, formatSum } from './clock.ts';
import { formatLowFunds } from './low-funds-notice.tsx';
import { setMicrophoneMuted, useOwnMedia } from './own-media.ts';
import { continueCallHere, dispatchCallAction, endCurrentCall, useOtherSide } from './session.ts';
import { type CallStageState, isRunning } from './state.ts';
import * as texts from './texts.ts';

type Talking = Extract<CallStageState, { at: 'talking' }>;
type Calling = Extract<CallStageState, { at: 'calling' }>;

function TalkStatus({ stage }: { stage: Talking }) {
  const displayedClock = useCallClock(stage);
  const isLow = stage.warnSeconds !== null && displayedClock.leftCents !== null;
  const statusText = !isRunning(stage)
    ? texts.reconnectingNotCharged
    : isLow
      ? formatText(texts.amountLeft, { amount: formatCents(displayedClock.leftCents ?? 0) })
      : formatSum(displayedClock, stage.call.isOutgoing);
  return (
    <>
      <span className="call-small__time">{formatCallDuration(displayedClock.seconds)}</span>
      <span className={isLow ? 'call-warn num text-cap' : 'num text-cap text-muted'}>{statusText}</span>
    </>
  );
}

function TalkAnnouncement({ stage }: { stage: Talking }) {
  const displayedClock = useCallClock(stage);
  const isLow = stage.warnSeconds !== null && displayedClock.leftCents !== null;
  const lowText = isLow ? formatLowFunds(stage, findLimitEnd(displayedClock)) : '';
  return (
    <p className="sr-only" role="status">
      {isRunning(stage) ? lowText : texts.reconnectingAnnouncement}
    </p>
  );
}

export function MinimizedCall({ stage }: { stage: Talking | Calling }) {
  const { call } = stage;
  const isAnswered = stage.at === 'talking';
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) opener.current?.focus();
  }, []);
  const { stream, activeMedia: otherMedia } = useOtherSide();
  const { isMuted, speaker } = useOwnMedia();
  const hasPicture = isAnswered && call.kind === 'video' && otherMedia.video;
  return (
    // A dialog hides the rest of the page from screen readers, except for elements with aria-live.
    <section
      data-call=""
      aria-live="off"
      className="call-small"
      aria-label={formatText(texts.callKindWithUser, {
        callKind: CALL_KIND_LABELS[call.kind],
        name: call.other.name,
      })}
    >
      <div className="call-small__picture">
        {!hasPicture && <Avatar name={call.other.name} src={call.other.avatarUrl} />}
        {stream && (
          <StreamVideo
            stream={stream}
            speaker={speaker}
            label={formatText(texts.otherVideo, { name: call.other.name })}
            className={hasPicture ? undefined : 'sr-only'}
          />
        )}
      </div>
      {isAnswered && <TalkAnnouncement stage={stage} />}
      <button
        ref={opener}
        type="button"
        className="call-small__open"
        onClick={() => dispatchCallAction({ type: 'small', isMinimized: false })}
      >
        <span className="sr-only">{texts.backToTheCall} </span>
        <bdi className="one-line text-small font-semibold">{call.other.name}</bdi>
        {isAnswered ? (
          <TalkStatus stage={stage} />
        ) : (
          <span className="text-cap text-muted">{stage.isRinging ? texts.ringing : texts.callingStage}</span>
        )}
      </button>
      {isAnswered && (
        <IconButton
          icon={isMuted ? 'mic-off' : 'mic'}
          label={isMuted ? texts.unmuteMicrophone : texts.muteMicrophone}
          aria-pressed={isMuted}
          onClick={() => setMicrophoneMuted(!isMuted)}
        />
      )}
      <button
        type="button"
        className="call-end"
        aria-label={isAnswered ? texts.endCall : texts.cancel}
        onClick={endCurrentCall}
      >
        <Icon name="hangup" />
      </button>
    </section>
  );
}

export function CallElsewhere({ call }: { call: OpenCall }) {
  const isAnswered = call.status === 'received';
  return (
    <section data-call="" aria-live="off" className="call-small" aria-label={texts.callOnAnotherDevice}>
      <div className="call-small__picture">
        <Avatar name={call.other.name} src={call.other.avatarUrl} />
      </div>
      <div className="min-w-0">
        <bdi className="one-line block font-semibold">{call.other.name}</bdi>
        <span className="text-small text-muted">
          {isAnswered ? texts.inCallOnAnotherDevice : texts.callingFromAnotherDevice}
        </span>
      </div>
      {isAnswered && <Button onClick={() => continueCallHere(call)}>{texts.switchToThisDevice}</Button>}
      <IconButton icon="close" label={texts.close} onClick={() => dispatchCallAction({ type: 'close' })} />
    </section>
  );
}
