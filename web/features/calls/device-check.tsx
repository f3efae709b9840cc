import { profilePath } from '@stagedoor/contract/addresses.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { type CallKind, secondsFor } from '@stagedoor/contract/call-states.ts';
import { type CallTerms, getCallTerms } from '@stagedoor/contract/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { addFundsHref } from '../../kernel/address.ts';
import type { ApiError } from '../../kernel/api-error.ts';
import { apiQuery, routeKey } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button, PriceButton } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { aboutWords } from './clock.ts';
import { DeviceRows } from './device-rows.tsx';
import { closeCamera, openOwnMedia, ownMedia, useOwnMedia } from './own-media.ts';
import { OwnPicture } from './pieces.tsx';
import { checkBeforeCall, happen, startCalling } from './session.ts';
import type { CallTarget } from './state.ts';
import { absenceWords, KIND_WORDS, shortName } from './words.ts';

export const termsQuery = (creatorId: string) => apiQuery(getCallTerms, { params: { id: creatorId } });

const rateOf = (terms: CallTerms, kind: CallKind) => (kind === 'video' ? terms.videoRate : terms.audioRate);

/** The time that the balance lasts comes from the server, which also knows the daily limit. */
function Talk({ terms, kind, balance }: { terms: CallTerms; kind: CallKind; balance: number }) {
  const rate = rateOf(terms, kind) ?? 0;
  const told = kind === 'video' ? terms.canTalk?.videoSeconds : terms.canTalk?.audioSeconds;
  const byBalance = secondsFor(Math.round(balance * 100), Math.round(rate * 100));
  const seconds = Math.min(told ?? byBalance, byBalance);
  const isShort = seconds < terms.shortestMinutes * 60;
  return (
    <div className="call-talk">
      <h3 className="display d3">{seconds > 0 ? `You can talk ${aboutWords(seconds)}` : 'Your balance is too low'}</h3>
      <p className="pt-1.5 text-small text-muted">
        <span className="num">
          {formatUsd(balance)} at {formatRate(rate)}.
        </span>{' '}
        {seconds < byBalance && 'Your spending limit ends the call first. '}
        {isShort && seconds > 0 && `You need funds for at least ${terms.shortestMinutes} min. `}
        We hold funds during the call, charge by the second and release the rest. Calls under {CALL.freeSeconds} seconds
        are free.
      </p>
    </div>
  );
}

type CheckProps = { target: CallTarget; kind: CallKind };

function useStart({ target, kind }: CheckProps) {
  const client = useQueryClient();
  const isUnderway = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError>();
  const start = async (rate: number) => {
    if (isUnderway.current) return;
    isUnderway.current = true;
    setBusy(true);
    // The button can be pressed before the microphone is open. Without a microphone no call is started.
    await openOwnMedia(kind === 'video');
    const refused = ownMedia().microphone ? await startCalling(target, kind, rate) : undefined;
    isUnderway.current = false;
    setBusy(false);
    setRefusal(refused);
    if (refused) void client.invalidateQueries({ queryKey: routeKey(getCallTerms) });
  };
  return { isBusy, refusal, start };
}

function Decision({ terms, target, kind }: CheckProps & { terms: CallTerms }) {
  const viewer = useViewer();
  const { microphoneTrouble } = useOwnMedia();
  const { isBusy, refusal, start } = useStart({ target, kind });
  const rate = rateOf(terms, kind);
  const other: CallKind = kind === 'video' ? 'audio' : 'video';
  const absent = absenceWords(terms);
  const balance = viewer?.deposit ?? 0;
  const missing = (rate ?? 0) * terms.shortestMinutes - balance;
  const isShort = missing > 0 || refusal?.code === 'INSUFFICIENT_FUNDS';
  if (rate === null) return null;
  return (
    <div>
      <Talk terms={terms} kind={kind} balance={balance} />
      <div className="grid gap-2 pt-4">
        {absent ? (
          <>
            <p className="text-note" role="status">
              <bdi>{target.name}</bdi>: {absent}.
            </p>
            <Button size="lg" wide onClick={() => happen({ type: 'close' })}>
              Close
            </Button>
          </>
        ) : isShort ? (
          <Button
            variant="primary"
            size="lg"
            wide
            href={addFundsHref(Math.max(missing, 1), profilePath(target.username))}
            onClick={() => happen({ type: 'close' })}
          >
            Add funds to call
          </Button>
        ) : (
          <PriceButton
            split
            size="lg"
            wide
            data-autofocus=""
            verb={`Call ${shortName(target.name)}`}
            price={formatRate(rate)}
            busy={isBusy}
            busyText="Calling…"
            disabled={microphoneTrouble !== undefined}
            onClick={() => void start(rate)}
          />
        )}
        {rateOf(terms, other) !== null && (
          <Button variant="quiet" wide disabled={isBusy} onClick={() => checkBeforeCall(target, other)}>
            {kind === 'video' ? 'Switch to voice call' : 'Switch to video call'}
          </Button>
        )}
        {refusal && !isShort && <Refusal message={refusal.message} href={refusal.href} />}
      </div>
    </div>
  );
}

function OwnPictureSealed() {
  return (
    <div className="relative">
      <OwnPicture className="call-live" />
      <span className="call-live__seal">
        <Icon name="video" size={20} />
        Preview. Only you can see this.
      </span>
    </div>
  );
}

export function DeviceCheck({ target, kind }: CheckProps) {
  const terms = useQuery({ ...termsQuery(target.creatorId), staleTime: 0 });
  useEffect(() => {
    if (kind === 'audio') closeCamera();
    void openOwnMedia(kind === 'video');
  }, [kind]);
  return (
    <Sheet
      open
      onOpenChange={(isOpen) => !isOpen && happen({ type: 'close' })}
      title={kind === 'video' ? 'Before you call' : 'Before you call: voice only'}
    >
      <h2 className="sr-only">
        {KIND_WORDS[kind]} with {target.name}
      </h2>
      <div className="call-two">
        <div>
          {kind === 'video' && <OwnPictureSealed />}
          <DeviceRows hasVideo={kind === 'video'} hasLevel />
        </div>
        {terms.data ? (
          <Decision key={kind} terms={terms.data} target={target} kind={kind} />
        ) : terms.isError ? (
          <ErrorState title="Couldn’t load the price." onRetry={() => void terms.refetch()} busy={terms.isFetching} />
        ) : (
          <div className="call-talk" aria-busy="true">
            <Skeleton style={{ height: 132 }} />
          </div>
        )}
      </div>
    </Sheet>
  );
}
