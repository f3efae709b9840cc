import type { CallerSummary } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useEffect, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatShortDay } from '../../../platform/dates.ts';
import { getTimeZone } from '../../../platform/time-zone.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { Sheet } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { AnimatedDots, useTick } from './call-elements.tsx';
import { CALL_KIND_LABELS, formatSpending, getFirstName } from './call-labels.ts';
import { formatApproximateLength, formatLength } from './clock.ts';
import { DeviceTroubleNotice } from './device-rows.tsx';
import { useOwnMedia } from './own-media.ts';
import { acceptIncomingCall, declineIncomingCall } from './session.ts';
import type { CallStageState } from './state.ts';
import * as texts from './texts.ts';

const BLINK_MS = 1_000;

function useBlinkingTitle(text: string): void {
  useEffect(() => {
    const originalTitle = document.title;
    const timer = setInterval(() => {
      document.title = document.title.endsWith(text) ? originalTitle : text;
    }, BLINK_MS);
    document.title = text;
    return () => {
      clearInterval(timer);
      document.title = originalTitle;
    };
  }, [text]);
}

const formatMonth = (iso: string) =>
  new Date(iso).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: getTimeZone() });

function SpentBefore({ caller }: { caller: CallerSummary | undefined }) {
  if (!caller) return <Skeleton className="mt-5" style={{ height: 96 }} />;
  return (
    <div className="pt-5">
      <p className="text-small text-muted">{texts.spentWithYou}</p>
      <p className="call-amount">{formatUsd(caller.spent)}</p>
      {caller.spendingByKind.length > 0 && (
        <p className="num pt-1 text-small whitespace-normal! text-muted">
          {caller.spendingByKind.map(formatSpending).join(' · ')}
        </p>
      )}
    </div>
  );
}

function RingCountdown({ endsAt, name }: { endsAt: number; name: string }) {
  const seconds = Math.max(0, Math.ceil((endsAt - useTick()) / 1000));
  return (
    <p className="num pt-1 text-cap whitespace-normal! text-muted">
      {formatText(texts.ringingCountdownHint, { seconds, name: getFirstName(name) })}
    </p>
  );
}

export function IncomingCall({ stage }: { stage: Extract<CallStageState, { at: 'incoming' }> }) {
  const { offer, endsAt, caller } = stage;
  const { microphoneTrouble } = useOwnMedia();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useBlinkingTitle(formatText(texts.incomingPageTitle, { name: isolateText(offer.name) }));
  const acceptOffer = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await acceptIncomingCall(offer.callLogId, offer.contentType);
    } catch {
      setFailure(texts.connectionError);
    }
    setBusy(false);
  };
  const [now] = useState(() => new Date().toISOString());
  const details = [
    { name: 'Type', value: offer.contentType === 'video' ? 'Video' : 'Voice' },
    { name: texts.yourRate, value: formatRate(offer.session.amountPerMinute) },
    { name: texts.canTalkFor, value: caller ? formatApproximateLength(caller.affordableSeconds) : '…' },
    ...(caller?.lastCall
      ? [
          {
            name: texts.lastCall,
            value: `${formatShortDay(caller.lastCall.at, now)}, ${formatLength(caller.lastCall.seconds)}`,
          },
        ]
      : []),
  ];
  return (
    <Sheet
      open
      locked
      onOpenChange={() => undefined}
      title={formatText(texts.incomingCallKind, { callKind: CALL_KIND_LABELS[offer.contentType].toLowerCase() })}
      lead={
        <span className="flex items-center gap-2 text-small">
          <Icon name={offer.contentType === 'video' ? 'video' : 'phone'} />
          <span className="sr-only">
            {formatText(texts.incomingAnnouncement, {
              name: offer.name,
              callRate: formatRate(offer.session.amountPerMinute),
            })}
          </span>
          <AnimatedDots />
        </span>
      }
    >
      <div className="call-two">
        <div>
          <div className="flex items-center gap-5 pt-1 pb-5">
            <Avatar name={offer.name} src={offer.picture} size="l" />
            <div className="min-w-0">
              <p className="display d3 wrap-anywhere">
                <bdi>{offer.name}</bdi>
              </p>
              <p className="pt-1.5 text-muted">
                {caller?.followsSince
                  ? formatText(texts.followingYouSince, { date: formatMonth(caller.followsSince) })
                  : `@${offer.username}`}
              </p>
            </div>
          </div>
          <DefinitionList items={details} />
          <SpentBefore caller={caller} />
        </div>
        <div className="call-answers">
          {microphoneTrouble && (
            <DeviceTroubleNotice
              deviceKind="microphone"
              trouble={microphoneTrouble}
              onRetry={() => void acceptOffer()}
            />
          )}
          {failure && (
            <p role="alert" className="pt-3 text-small text-danger">
              {failure}
            </p>
          )}
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2 pt-6">
            <PriceButton
              split
              size="lg"
              wide
              icon={offer.contentType === 'video' ? 'video' : 'phone'}
              verb={texts.accept}
              price={formatRate(offer.session.amountPerMinute)}
              busy={isBusy}
              busyText={texts.answering}
              onClick={() => void acceptOffer()}
            />
            <Button size="lg" wide onClick={() => declineIncomingCall(offer.callLogId)}>
              {texts.decline}
            </Button>
            <RingCountdown endsAt={endsAt} name={offer.name} />
          </div>
        </div>
      </div>
    </Sheet>
  );
}
