import { getProfile } from '@stagedoor/contract/content/profiles.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents, formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { formatCallDuration } from '../../../platform/dates.ts';
import { useMediaQuery } from '../../../platform/media-query.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { AnimatedDots, OwnPicture, StreamVideo, useTick } from './call-elements.tsx';
import { CALL_KIND_LABELS, getFirstName } from './call-labels.ts';
import { useCallParts } from './call-parts.ts';
import { CallWindow, MinimizeButton } from './call-window.tsx';
import { advanceClock, type DisplayedClock, findLimitEnd, formatLeftLabel, formatLength, formatSum } from './clock.ts';
import { CallControls, EndButton } from './controls.tsx';
import { CallFundsLink, formatLowFunds, LowFundsNotice } from './low-funds-notice.tsx';
import { useOwnMedia } from './own-media.ts';
import { useOtherSide } from './session.ts';
import { type CallStageState, isRunning } from './state.ts';
import * as texts from './texts.ts';

type Talking = Extract<CallStageState, { at: 'talking' }>;
type Calling = Extract<CallStageState, { at: 'calling' }>;
type Running = Talking | Calling;

/** The clock as it is now. For the creator the amount is their own share. */
export function useCallClock({ call, clock, lostAt }: Talking): DisplayedClock {
  const now = useTick();
  return advanceClock(clock, Math.min(now, lostAt ?? now), Math.round(call.session.amountPerMinute * 100));
}

function CallFigures({ stage, displayedClock }: { stage: Talking; displayedClock: DisplayedClock }) {
  const isFan = stage.call.isOutgoing;
  return (
    <>
      <div>
        <dt>{isFan ? texts.spent : texts.youEarn}</dt>
        <dd>{formatCents(displayedClock.cents)}</dd>
      </div>
      {displayedClock.leftCents !== null && (
        <div>
          <dt>{formatLeftLabel(findLimitEnd(displayedClock))}</dt>
          <dd>{formatCents(displayedClock.leftCents)}</dd>
        </div>
      )}
    </>
  );
}

function Meter({ stage, displayedClock }: { stage: Talking; displayedClock: DisplayedClock }) {
  return (
    <dl className="call-meter">
      <div>
        <dt className="sr-only">{texts.callTime}</dt>
        <dd className="call-time">{formatCallDuration(displayedClock.seconds)}</dd>
      </div>
      <CallFigures stage={stage} displayedClock={displayedClock} />
    </dl>
  );
}

/** Shown while both sides connect. Charging and the clock are stopped. */
function PausedNotice({ stage, displayedClock }: { stage: Talking; displayedClock: DisplayedClock }) {
  const now = useTick();
  const { call, clock, hasStarted } = stage;
  const remainingMs =
    clock.reconnectLeftMs === null ? null : Math.max(0, clock.reconnectLeftMs - (now - clock.receivedAt));
  const charge = call.isOutgoing ? texts.youreNotCharged : texts.nothingIsCharged;
  return (
    <div className="call-slip">
      <div className="call-slip__row">
        <b>{hasStarted ? texts.reconnecting : texts.connecting}</b>
        {remainingMs !== null && (
          <span className="text-small text-muted" aria-hidden="true">
            {formatText(texts.reconnectProgress, {
              elapsed: formatCallDuration(Math.floor((CALL_LIMITS.reconnectSeconds * 1000 - remainingMs) / 1000)),
              limit: formatCallDuration(CALL_LIMITS.reconnectSeconds),
            })}
          </span>
        )}
      </div>
      <p className="text-small">
        <b className="font-semibold">{charge}</b>{' '}
        <span className="text-muted">
          {hasStarted
            ? formatText(texts.billingPausedHint, {
                duration: formatCallDuration(displayedClock.seconds),
                reconnectSeconds: CALL_LIMITS.reconnectSeconds,
              })
            : texts.billingStartsHint}
        </span>
      </p>
    </div>
  );
}

function CallNotice({ stage, displayedClock }: { stage: Talking; displayedClock: DisplayedClock }) {
  const isLow = stage.warnSeconds !== null && stage.call.isOutgoing;
  return (
    <div role="status" className="call-slips">
      {!isRunning(stage) ? (
        <PausedNotice stage={stage} displayedClock={displayedClock} />
      ) : (
        isLow && <LowFundsNotice stage={stage} displayedClock={displayedClock} />
      )}
    </div>
  );
}

function Backdrop({ stage }: { stage: Running }) {
  const { call } = stage;
  const { stream, activeMedia } = useOtherSide();
  const { speaker } = useOwnMedia();
  const profile = useQuery({
    ...apiQuery(getProfile, { params: { id: call.other.id } }),
    enabled: call.isOutgoing && stage.at === 'calling',
  }).data;
  const isSeen = call.kind === 'video' && stage.at === 'talking' && stream !== undefined;
  const hasPicture = isSeen && activeMedia.video;
  const isHidden = isSeen && !activeMedia.video;
  return (
    <>
      {stage.at === 'calling' && profile?.cover ? (
        <img className="stage__picture" src={profile.cover.url} alt="" />
      ) : (
        !hasPicture && (
          <div className="stage__face">
            <div>
              <Avatar name={call.other.name} src={call.other.avatarUrl} size="xl" />
              {isHidden && (
                <p className="text-small">
                  {formatText(texts.otherCameraIsOff, { name: getFirstName(call.other.name) })}
                </p>
              )}
            </div>
          </div>
        )
      )}
      {stage.at === 'talking' && stream && (
        <StreamVideo
          stream={stream}
          speaker={speaker}
          label={formatText(texts.otherVideo, { name: call.other.name })}
          className={hasPicture ? 'stage__picture' : 'sr-only'}
        />
      )}
    </>
  );
}

function CallHeader({ stage, children }: { stage: Running; children?: ReactNode }) {
  const { call } = stage;
  const { activeMedia } = useOtherSide();
  const rate = formatUsd(call.session.amountPerMinute);
  const subtitle =
    stage.at === 'calling'
      ? formatText(texts.callKindRate, { callKind: CALL_KIND_LABELS[call.kind], callRate: rate })
      : activeMedia.audio
        ? formatText(texts.rateBilledBySecond, { callRate: rate })
        : texts.theirMicrophoneIsOff;
  return (
    <header className="stage__top">
      <Avatar name={call.other.name} src={call.other.avatarUrl} />
      <div className="min-w-0 flex-1">
        <b className="stage__name one-line">
          <bdi>{call.other.name}</bdi>
        </b>
        <span className="stage__line one-line">{subtitle}</span>
      </div>
      {children}
    </header>
  );
}

function CallingFooter({ stage }: { stage: Calling }) {
  const name = getFirstName(stage.call.other.name);
  return (
    <div>
      <h2 className="display d2">
        {stage.isRinging ? texts.ringing : formatText(texts.callingUser, { name })} <AnimatedDots />
      </h2>
      <p className="pt-2.5">
        {formatNodes(texts.notChargedYetHint, {
          ringLimit: !stage.isRinging && formatText(texts.ringLimitHint, { ringSeconds: CALL_LIMITS.ringSeconds }),
          name,
        })}
      </p>
    </div>
  );
}

function SidebarStatus({ stage, displayedClock }: { stage: Talking; displayedClock: DisplayedClock }) {
  const isLow = stage.warnSeconds !== null && displayedClock.leftCents !== null;
  const amountText = isLow
    ? formatText(texts.amountLeft, { amount: formatCents(displayedClock.leftCents ?? 0) })
    : formatSum(displayedClock, stage.call.isOutgoing);
  return (
    <span className="min-w-0 flex-1 text-small">
      <span className="sr-only" role="status">
        {!isRunning(stage)
          ? texts.reconnectingAnnouncement
          : isLow
            ? formatLowFunds(stage, findLimitEnd(displayedClock))
            : ''}
      </span>
      <span className={isLow ? 'call-warn' : 'text-muted'}>
        {isRunning(stage) ? amountText : texts.reconnectingNotCharged}
      </span>
    </span>
  );
}

function CallSidebar({
  stage,
  displayedClock,
  onClose,
}: {
  stage: Talking;
  displayedClock: DisplayedClock;
  onClose: () => void;
}) {
  const { Thread } = useCallParts();
  const { call } = stage;
  const isWarned = stage.warnSeconds !== null;
  return (
    <aside className="call-side" aria-label={texts.thisCall}>
      <div className="call-side__top lg:hidden">
        <span className="call-small__time">{formatCallDuration(displayedClock.seconds)}</span>
        <SidebarStatus stage={stage} displayedClock={displayedClock} />
        <EndButton label={texts.end} />
        <IconButton icon="close" label={texts.hideChat} onClick={onClose} />
      </div>
      <div className="call-side__clock max-lg:hidden">
        <p className="call-time">{formatCallDuration(displayedClock.seconds)}</p>
        <dl className="call-side__facts">
          <CallFigures stage={stage} displayedClock={displayedClock} />
          {displayedClock.tipCents > 0 && (
            <div>
              <dt>{texts.includingTips}</dt>
              <dd>{formatCents(displayedClock.tipCents)}</dd>
            </div>
          )}
          {displayedClock.leftSeconds !== null && (
            <div>
              <dt>{texts.talkTimeLeft}</dt>
              <dd className={isWarned ? 'call-warn' : undefined}>{formatLength(displayedClock.leftSeconds)}</dd>
            </div>
          )}
          {!call.isOutgoing && (
            <div>
              <dt>{texts.rateLabel}</dt>
              <dd>{formatRate(call.session.amountPerMinute)}</dd>
            </div>
          )}
        </dl>
        <div className="call-side__acts">
          <EndButton label={texts.endCall} />
          {call.isOutgoing && <CallFundsLink stage={stage} limitEnd={findLimitEnd(displayedClock)} />}
        </div>
      </div>
      <div className="call-side__room">
        <Suspense fallback={null}>
          <Thread userId={call.other.id} />
        </Suspense>
      </div>
    </aside>
  );
}

function TalkingStage({ stage }: { stage: Talking }) {
  const displayedClock = useCallClock(stage);
  const isWide = useMediaQuery(WIDE_SCREEN);
  const [chatPreference, setChatPreference] = useState<boolean>();
  const hasChat = chatPreference ?? isWide;
  return (
    <CallWindow call={stage.call} hasChat={hasChat} isAlone={!hasChat}>
      <section
        className="stage"
        aria-label={texts.videoAndControls}
        data-hold={isRunning(stage) || !stage.hasStarted ? undefined : ''}
      >
        <Backdrop stage={stage} />
        <CallHeader stage={stage}>
          <MinimizeButton />
        </CallHeader>
        {stage.call.kind === 'video' && <OwnPicture className="call-self" />}
        <div className="stage__foot" data-uncovered="">
          <CallNotice stage={stage} displayedClock={displayedClock} />
          <Meter stage={stage} displayedClock={displayedClock} />
          <CallControls call={stage.call} isAnswered hasChat={hasChat} onChat={() => setChatPreference(!hasChat)} />
        </div>
      </section>
      {hasChat && (
        <CallSidebar stage={stage} displayedClock={displayedClock} onClose={() => setChatPreference(false)} />
      )}
    </CallWindow>
  );
}

const WIDE_SCREEN = '(min-width: 60rem)';

export function CallStage({ stage }: { stage: Running }) {
  const { call } = stage;
  if (stage.at === 'talking') return <TalkingStage stage={stage} />;
  return (
    <CallWindow call={call} hasChat={false} isAlone>
      <section className="stage" data-ring="" aria-label={texts.callingStage}>
        <Backdrop stage={stage} />
        <CallHeader stage={stage}>
          <MinimizeButton />
        </CallHeader>
        {call.kind === 'video' && <OwnPicture className="call-self" />}
        <div className="stage__foot" data-uncovered="">
          <CallingFooter stage={stage} />
          <CallControls call={call} isAnswered={false} hasChat={false} onChat={() => undefined} />
        </div>
      </section>
    </CallWindow>
  );
}
