import { profilePath } from '@stagedoor/contract/addresses.ts';
import { formatCents, formatRate, formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { getProfile } from '@stagedoor/contract/profiles.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { addFundsHref } from '../../kernel/address.ts';
import { isolated } from '../../kernel/bidi.ts';
import { formatTalk } from '../../kernel/dates.ts';
import { useMedia } from '../../kernel/media-query.ts';
import { apiQuery } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { clockAt, leftWords, lengthWords, type ShownClock } from './clock.ts';
import { Controls, EndButton } from './controls.tsx';
import { useOwnMedia } from './own-media.ts';
import { useCallParts } from './parts.ts';
import { Dots, OwnPicture, Playing, useTick } from './pieces.tsx';
import { happen, useOther } from './session.ts';
import { isRunning, type Stage } from './state.ts';
import { KIND_WORDS, shortName } from './words.ts';

type Talking = Extract<Stage, { at: 'talking' }>;
type Calling = Extract<Stage, { at: 'calling' }>;
type Running = Talking | Calling;

function useWholeWindow(): void {
  useEffect(() => {
    const behind = [...document.body.children].filter(
      (element) => element instanceof HTMLElement && !element.hasAttribute('data-call') && element.tagName !== 'SCRIPT',
    );
    const changed = behind.filter((element) => !element.hasAttribute('inert'));
    for (const element of changed) element.setAttribute('inert', '');
    return () => {
      for (const element of changed) element.removeAttribute('inert');
    };
  }, []);
}

/** The clock as it is now. For the creator the amount is their own share. */
export function useShownClock({ call, clock, lostAt }: Talking): ShownClock {
  const now = useTick();
  return clockAt(clock, Math.min(now, lostAt ?? now), Math.round(call.session.amountPerMinute * 100));
}

function Figures({ stage, shown }: { stage: Talking; shown: ShownClock }) {
  const isFan = stage.call.isOutgoing;
  const balance = useViewer()?.deposit ?? 0;
  return (
    <>
      <div>
        <dt>{isFan ? 'Spent' : 'You earn'}</dt>
        <dd>{formatCents(shown.cents)}</dd>
      </div>
      {shown.leftCents !== null && (
        <div>
          <dt>{leftWords(shown.leftCents, balance)}</dt>
          <dd>{formatCents(shown.leftCents)}</dd>
        </div>
      )}
    </>
  );
}

function Meter({ stage, shown }: { stage: Talking; shown: ShownClock }) {
  return (
    <dl className="call-meter">
      <div>
        <dt className="sr-only">Time</dt>
        <dd className="call-time">{formatTalk(shown.seconds)}</dd>
      </div>
      <Figures stage={stage} shown={shown} />
    </dl>
  );
}

const fundsHref = (stage: Talking) => addFundsHref(undefined, profilePath(stage.call.other.username));

export function lowWords({ warnSeconds }: Talking): string {
  return (warnSeconds ?? 0) <= (CALL.warnSeconds.at(-1) ?? 0) ? 'Under 30 seconds left' : 'Under 2 minutes left';
}

function LowFunds({ stage, shown }: { stage: Talking; shown: ShownClock }) {
  return (
    <div className="call-slip">
      <div className="call-slip__row">
        <b>{lowWords(stage)}</b>
        <span className="text-small text-muted" aria-hidden="true">
          {formatCents(shown.leftCents ?? 0)}
        </span>
      </div>
      <p className="text-small text-muted">After that the call ends. Add funds in a new tab and keep talking.</p>
      <div className="call-slip__acts">
        <Button variant="ink" className="flex-1" href={fundsHref(stage)} target="_blank">
          Add funds
        </Button>
        <Button variant="quiet" onClick={() => happen({ type: 'warningSeen' })}>
          Not now
        </Button>
      </div>
    </div>
  );
}

/** Shown while both sides connect. Charging and the clock are stopped. */
function Standing({ stage, shown }: { stage: Talking; shown: ShownClock }) {
  const now = useTick();
  const { call, clock, hasStarted } = stage;
  const left = clock.gapLeftMs === null ? null : Math.max(0, clock.gapLeftMs - (now - clock.heardAt));
  const charge = call.isOutgoing ? 'You’re not charged.' : 'Nothing is charged.';
  return (
    <div className="call-slip">
      <div className="call-slip__row">
        <b>{hasStarted ? 'Reconnecting' : 'Connecting'}</b>
        {left !== null && (
          <span className="text-small text-muted" aria-hidden="true">
            {formatTalk(Math.floor((CALL.gapSeconds * 1000 - left) / 1000))} of {formatTalk(CALL.gapSeconds)}
          </span>
        )}
      </div>
      <p className="text-small">
        <b className="font-semibold">{charge}</b>{' '}
        <span className="text-muted">
          {hasStarted
            ? `Billing paused at ${formatTalk(shown.seconds)}. If you don’t reconnect within ${CALL.gapSeconds} seconds, the call ends.`
            : 'Billing starts once you’re both connected.'}
        </span>
      </p>
    </div>
  );
}

function OneSlip({ stage, shown }: { stage: Talking; shown: ShownClock }) {
  const isLow = stage.warnSeconds !== null && stage.call.isOutgoing;
  return (
    <div role="status" className="call-slips">
      {!isRunning(stage) ? <Standing stage={stage} shown={shown} /> : isLow && <LowFunds stage={stage} shown={shown} />}
    </div>
  );
}

function Backdrop({ stage }: { stage: Running }) {
  const { call } = stage;
  const { stream, shown } = useOther();
  const { speaker } = useOwnMedia();
  const profile = useQuery({
    ...apiQuery(getProfile, { params: { id: call.other.id } }),
    enabled: call.isOutgoing && stage.at === 'calling',
  }).data;
  const isSeen = call.kind === 'video' && stage.at === 'talking' && stream !== undefined;
  const hasPicture = isSeen && shown.video;
  const isHidden = isSeen && !shown.video;
  return (
    <>
      {stage.at === 'calling' && profile?.cover ? (
        <img className="stage__picture" src={profile.cover.url} alt="" />
      ) : (
        !hasPicture && (
          <div className="stage__face">
            <div>
              <Avatar name={call.other.name} src={call.other.avatarUrl} size="xl" />
              {isHidden && <p className="text-small">{shortName(call.other.name)}’s camera is off</p>}
            </div>
          </div>
        )
      )}
      {stage.at === 'talking' && stream && (
        <Playing
          stream={stream}
          speaker={speaker}
          label={`${call.other.name}’s video`}
          className={hasPicture ? 'stage__picture' : 'sr-only'}
        />
      )}
    </>
  );
}

function Top({ stage, children }: { stage: Running; children?: ReactNode }) {
  const { call } = stage;
  const { shown } = useOther();
  const rate = formatUsd(call.session.amountPerMinute);
  const line =
    stage.at === 'calling'
      ? `${KIND_WORDS[call.kind]}, ${rate} per minute`
      : shown.audio
        ? `${rate} per minute, billed by the second`
        : 'Their microphone is off';
  return (
    <header className="stage__top">
      <Avatar name={call.other.name} src={call.other.avatarUrl} />
      <div className="min-w-0 flex-1">
        <b className="stage__name one-line">
          <bdi>{call.other.name}</bdi>
        </b>
        <span className="stage__line one-line">{line}</span>
      </div>
      {children}
    </header>
  );
}

function CallingFoot({ stage }: { stage: Calling }) {
  const name = shortName(stage.call.other.name);
  return (
    <div>
      <h2 className="display d2">
        {stage.isRinging ? 'Ringing' : `Calling ${name}`} <Dots />
      </h2>
      <p className="pt-2.5">
        {!stage.isRinging && `Rings for up to ${CALL.ringSeconds} seconds. `}
        You won’t be charged until {name} answers.
      </p>
    </div>
  );
}

function SideLine({ stage, shown }: { stage: Talking; shown: ShownClock }) {
  const isLow = stage.warnSeconds !== null && shown.leftCents !== null;
  const sum = isLow ? `${formatCents(shown.leftCents ?? 0)} left` : formatCents(shown.cents);
  return (
    <span className="min-w-0 flex-1 text-small">
      <span className="sr-only" role="status">
        {!isRunning(stage) ? 'Reconnecting. Nothing is charged.' : isLow ? lowWords(stage) : ''}
      </span>
      <span className={isLow ? 'call-warn' : 'text-muted'}>{isRunning(stage) ? sum : 'Reconnecting, not charged'}</span>
    </span>
  );
}

function Side({ stage, shown, onClose }: { stage: Talking; shown: ShownClock; onClose: () => void }) {
  const { Thread } = useCallParts();
  const { call } = stage;
  const isWarned = stage.warnSeconds !== null;
  return (
    <aside className="call-side" aria-label="This call">
      <div className="call-side__top lg:hidden">
        <span className="call-small__time">{formatTalk(shown.seconds)}</span>
        <SideLine stage={stage} shown={shown} />
        <EndButton word="End" />
        <IconButton icon="close" label="Hide chat" onClick={onClose} />
      </div>
      <div className="call-side__clock max-lg:hidden">
        <p className="call-time">{formatTalk(shown.seconds)}</p>
        <dl className="call-side__facts">
          <Figures stage={stage} shown={shown} />
          {shown.leftSeconds !== null && (
            <div>
              <dt>Talk time left</dt>
              <dd className={isWarned ? 'call-warn' : undefined}>{lengthWords(shown.leftSeconds)}</dd>
            </div>
          )}
          {!call.isOutgoing && (
            <div>
              <dt>Rate</dt>
              <dd>{formatRate(call.session.amountPerMinute)}</dd>
            </div>
          )}
        </dl>
        <div className="call-side__acts">
          <EndButton word="End call" />
          {call.isOutgoing && (
            <Button href={fundsHref(stage)} target="_blank">
              Add funds
            </Button>
          )}
        </div>
      </div>
      <div className="call-side__room">
        <Suspense fallback={null}>
          <Thread personId={call.other.id} />
        </Suspense>
      </div>
    </aside>
  );
}

/**
 * The full-window view of a call. It makes the page behind it inert and takes the focus. The call layer restores the
 * focus.
 */
function Window({
  call,
  hasChat,
  isAlone,
  children,
}: {
  call: Running['call'];
  hasChat: boolean;
  isAlone: boolean;
  children: ReactNode;
}) {
  const room = useRef<HTMLDivElement>(null);
  useWholeWindow();
  useEffect(() => room.current?.focus(), []);
  return (
    <div
      ref={room}
      data-call=""
      data-chat={hasChat ? '' : undefined}
      data-wide={isAlone ? '' : undefined}
      className="call"
      role="dialog"
      aria-modal="true"
      tabIndex={-1}
      aria-label={`${KIND_WORDS[call.kind]} with ${isolated(call.other.name)}`}
    >
      {children}
    </div>
  );
}

function TalkingStage({ stage }: { stage: Talking }) {
  const shown = useShownClock(stage);
  const isWide = useMedia(WIDE);
  const [wish, setWish] = useState<boolean>();
  const hasChat = wish ?? isWide;
  return (
    <Window call={stage.call} hasChat={hasChat} isAlone={!hasChat}>
      <section
        className="stage"
        aria-label="Video and controls"
        data-hold={isRunning(stage) || !stage.hasStarted ? undefined : ''}
      >
        <Backdrop stage={stage} />
        <Top stage={stage}>
          <IconButton icon="shrink" label="Minimize" onClick={() => happen({ type: 'small', isSmall: true })} />
        </Top>
        {stage.call.kind === 'video' && <OwnPicture className="call-self" />}
        <div className="stage__foot">
          <OneSlip stage={stage} shown={shown} />
          <Meter stage={stage} shown={shown} />
          <Controls call={stage.call} isAnswered hasChat={hasChat} onChat={() => setWish(!hasChat)} />
        </div>
      </section>
      {hasChat && <Side stage={stage} shown={shown} onClose={() => setWish(false)} />}
    </Window>
  );
}

const WIDE = '(min-width: 60rem)';

export function CallStage({ stage }: { stage: Running }) {
  const { call } = stage;
  if (stage.at === 'talking') return <TalkingStage stage={stage} />;
  return (
    <Window call={call} hasChat={false} isAlone>
      <section className="stage" data-ring="" aria-label="Calling">
        <Backdrop stage={stage} />
        <Top stage={stage} />
        {call.kind === 'video' && <OwnPicture className="call-self" />}
        <div className="stage__foot">
          <CallingFoot stage={stage} />
          <Controls call={call} isAnswered={false} hasChat={false} onChat={() => undefined} />
        </div>
      </section>
    </Window>
  );
}
