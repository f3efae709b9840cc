import { formatRate, formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { CallerFacts } from '@stagedoor/contract/calls.ts';
import { useEffect, useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, PriceButton } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { aboutWords, lengthWords } from './clock.ts';
import { TroubleNote } from './device-rows.tsx';
import { useOwnMedia } from './own-media.ts';
import { Dots, useTick } from './pieces.tsx';
import { accept, decline } from './session.ts';
import type { Stage } from './state.ts';
import { KIND_WORDS, shortName, spentOnWords } from './words.ts';

const BLINK_MS = 1_000;

function useBlinkingTitle(words: string): void {
  useEffect(() => {
    const plain = document.title;
    const timer = setInterval(() => {
      document.title = document.title.endsWith(words) ? plain : words;
    }, BLINK_MS);
    document.title = words;
    return () => {
      clearInterval(timer);
      document.title = plain;
    };
  }, [words]);
}

const day = (iso: string) => new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
const month = (iso: string) => new Date(iso).toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });

function Spent({ caller }: { caller: CallerFacts | undefined }) {
  if (!caller) return <Skeleton className="mt-5" style={{ height: 96 }} />;
  return (
    <div className="pt-5">
      <p className="text-small text-muted">Spent with you</p>
      <p className="call-amount">{formatUsd(caller.spent)}</p>
      {caller.spentOn.length > 0 && (
        <p className="num pt-1 text-small whitespace-normal! text-muted">
          {caller.spentOn.map(spentOnWords).join(' · ')}
        </p>
      )}
    </div>
  );
}

function RingsFor({ endsAt, name }: { endsAt: number; name: string }) {
  const seconds = Math.max(0, Math.ceil((endsAt - useTick()) / 1000));
  return (
    <p className="num pt-1 text-cap whitespace-normal! text-muted">
      Rings for {seconds} more seconds. If you decline, {shortName(name)} sees that you’re busy.
    </p>
  );
}

export function Incoming({ stage }: { stage: Extract<Stage, { at: 'incoming' }> }) {
  const { offer, endsAt, caller } = stage;
  const { microphoneTrouble } = useOwnMedia();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  useBlinkingTitle(`${isolated(offer.name)} is calling · Stagedoor`);
  const answer = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      await accept(offer.callLogId, offer.contentType);
    } catch {
      setFailure('Can’t connect. Check your internet and try again.');
    }
    setBusy(false);
  };
  const facts = [
    { name: 'Type', value: offer.contentType === 'video' ? 'Video' : 'Voice' },
    { name: 'Your rate', value: formatRate(offer.session.amountPerMinute) },
    { name: 'Can talk for', value: caller ? aboutWords(caller.canTalkSeconds) : '…' },
    ...(caller?.lastCall
      ? [{ name: 'Last call', value: `${day(caller.lastCall.at)}, ${lengthWords(caller.lastCall.seconds)}` }]
      : []),
  ];
  return (
    <Sheet
      open
      locked
      onOpenChange={() => undefined}
      title={`Incoming ${KIND_WORDS[offer.contentType].toLowerCase()}`}
      lead={
        <span className="flex items-center gap-2 text-small">
          <Icon name={offer.contentType === 'video' ? 'video' : 'phone'} />
          <span className="sr-only">
            {offer.name} is calling, {formatRate(offer.session.amountPerMinute)}.
          </span>
          <Dots />
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
                {caller?.followsSince ? `Following you since ${month(caller.followsSince)}` : `@${offer.username}`}
              </p>
            </div>
          </div>
          <FactList facts={facts} />
          <Spent caller={caller} />
        </div>
        <div>
          {microphoneTrouble && (
            <TroubleNote what="microphone" trouble={microphoneTrouble} onRetry={() => void answer()} />
          )}
          {failure && (
            <p role="alert" className="pt-3 text-small text-danger">
              {failure}
            </p>
          )}
          <div className="grid gap-2 pt-6">
            <PriceButton
              split
              size="lg"
              wide
              icon={offer.contentType === 'video' ? 'video' : 'phone'}
              verb="Accept"
              price={formatRate(offer.session.amountPerMinute)}
              busy={isBusy}
              busyText="Answering…"
              onClick={() => void answer()}
            />
            <Button size="lg" wide onClick={() => decline(offer.callLogId)}>
              Decline
            </Button>
            <RingsFor endsAt={endsAt} name={offer.name} />
          </div>
        </div>
      </div>
    </Sheet>
  );
}
