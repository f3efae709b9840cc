import { type CallKind, calculateAffordableSeconds } from '@stagedoor/contract/messaging/call-states.ts';
import { type CallTerms, getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { addFundsHref } from '../../../platform/address.ts';
import type { ApiError } from '../../../platform/api-error.ts';
import { apiQuery, routeKey } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { findFundsObstacle, SpendingBoundNote } from '../../../platform/spending-bound.tsx';
import { Button, PriceButton } from '../../../ui/button.tsx';
import { Sheet } from '../../../ui/dialog.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { Icon } from '../../../ui/icon.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { OwnPicture } from './call-elements.tsx';
import { CALL_KIND_LABELS, formatUnavailableReason, getFirstName } from './call-labels.ts';
import { formatApproximateLength } from './clock.ts';
import { DeviceRows } from './device-rows.tsx';
import { closeOwnCamera, getOwnMedia, openOwnMedia, useOwnMedia } from './own-media.ts';
import { resumeCallHref, savePendingCall } from './pending-call.ts';
import { dispatchCallAction, openDeviceCheck, placeCall } from './session.ts';
import type { CallTarget } from './state.ts';
import * as texts from './texts.ts';

const callTermsQuery = (creatorId: string) => apiQuery(getCallTerms, { params: { id: creatorId } });

const getRate = (terms: CallTerms, kind: CallKind) => (kind === 'video' ? terms.videoRate : terms.audioRate);

/** The time that the balance lasts comes from the server, which also knows the limits. */
function TalkTime({
  terms,
  kind,
  balance,
  obstacle,
}: {
  terms: CallTerms;
  kind: CallKind;
  balance: number;
  obstacle: 'limit' | 'balance' | undefined;
}) {
  const rate = getRate(terms, kind) ?? 0;
  const serverSeconds = kind === 'video' ? terms.affordable?.videoSeconds : terms.affordable?.audioSeconds;
  const balanceSeconds = calculateAffordableSeconds(Math.round(balance * 100), Math.round(rate * 100));
  const seconds = Math.min(serverSeconds ?? balanceSeconds, balanceSeconds);
  const isShort = seconds < terms.minMinutes * 60;
  return (
    <div className="call-talk">
      <h3 className="display d3">
        {obstacle === 'limit'
          ? texts.yourSpendingLimitIsTooLow
          : seconds > 0
            ? formatText(texts.youCanTalkFor, { duration: formatApproximateLength(seconds) })
            : texts.yourBalanceIsTooLow}
      </h3>
      <p className="pt-1.5 text-small text-muted">
        {formatNodes(texts.fundsHoldExplanation, {
          balanceAndRate: (
            <span className="num">
              {formatText(texts.availableAtRate, { balance: formatUsd(balance), callRate: formatRate(rate) })}
            </span>
          ),
          spendingLimit: !obstacle && seconds < balanceSeconds && texts.spendingLimitHint,
          minimumBalance:
            isShort && seconds > 0 && formatText(texts.minimumBalanceHint, { minMinutes: terms.minMinutes }),
          freeSeconds: CALL_LIMITS.freeSeconds,
        })}
      </p>
    </div>
  );
}

type DeviceCheckProps = { target: CallTarget; kind: CallKind };

function useStartCall({ target, kind }: DeviceCheckProps) {
  const client = useQueryClient();
  const isStartingRef = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<ApiError>();
  const start = async (rate: number) => {
    if (isStartingRef.current) return;
    isStartingRef.current = true;
    setBusy(true);
    // The button can be pressed before the microphone is open. Without a microphone no call is started.
    await openOwnMedia(kind === 'video');
    const startError = getOwnMedia().microphone ? await placeCall(target, kind, rate) : undefined;
    isStartingRef.current = false;
    setBusy(false);
    setRefusal(startError);
    if (startError) void client.invalidateQueries({ queryKey: routeKey(getCallTerms) });
  };
  return { isBusy, refusal, start };
}

function CallDecision({ terms, target, kind }: DeviceCheckProps & { terms: CallTerms }) {
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  const { microphoneTrouble } = useOwnMedia();
  const { isBusy, refusal, start } = useStartCall({ target, kind });
  const rate = getRate(terms, kind);
  const otherKind: CallKind = kind === 'video' ? 'audio' : 'video';
  const unavailableLabel = formatUnavailableReason(terms);
  const balance = viewer?.deposit ?? 0;
  const neededUsd = (rate ?? 0) * Math.max(1, terms.minMinutes);
  const bound = terms.affordable?.bound;
  const obstacle =
    findFundsObstacle(neededUsd, balance, bound) ??
    (refusal?.code === 'INSUFFICIENT_FUNDS' ? ('balance' as const) : undefined);
  if (rate === null) return null;
  return (
    <div>
      <TalkTime terms={terms} kind={kind} balance={balance} obstacle={obstacle} />
      <div className="grid gap-2 pt-4">
        {unavailableLabel ? (
          <>
            <p className="text-note" role="status">
              <bdi>{target.name}</bdi>: {unavailableLabel}.
            </p>
            <Button size="lg" wide onClick={() => dispatchCallAction({ type: 'close' })}>
              {texts.close}
            </Button>
          </>
        ) : obstacle === 'limit' && bound ? (
          <SpendingBoundNote bound={bound} />
        ) : obstacle ? (
          <Button
            variant="primary"
            size="lg"
            wide
            href={addFundsHref(Math.max(neededUsd - balance, 1), resumeCallHref(pathname, search))}
            onClick={() => {
              savePendingCall({ creator: { ...target, id: target.creatorId }, kind });
              dispatchCallAction({ type: 'close' });
            }}
          >
            {texts.addFundsToCall}
          </Button>
        ) : (
          <PriceButton
            split
            size="lg"
            wide
            data-autofocus=""
            verb={formatText(texts.callUser, { name: getFirstName(target.name) })}
            price={formatRate(rate)}
            busy={isBusy}
            busyText={texts.callingProgress}
            disabled={microphoneTrouble !== undefined}
            onClick={() => void start(rate)}
          />
        )}
        {getRate(terms, otherKind) !== null && (
          <Button variant="quiet" wide disabled={isBusy} onClick={() => openDeviceCheck(target, otherKind)}>
            {kind === 'video' ? texts.switchToVoiceCall : texts.switchToVideoCall}
          </Button>
        )}
        {refusal && !obstacle && <InlineError message={refusal.message} href={refusal.href} />}
      </div>
    </div>
  );
}

function OwnPicturePreview() {
  return (
    <div className="relative">
      <OwnPicture className="call-live" />
      <span className="call-live__seal">
        <Icon name="video" size={20} />
        {texts.previewHint}
      </span>
    </div>
  );
}

export function DeviceCheck({ target, kind }: DeviceCheckProps) {
  const terms = useQuery({ ...callTermsQuery(target.creatorId), staleTime: 0 });
  useEffect(() => {
    if (kind === 'audio') closeOwnCamera();
    void openOwnMedia(kind === 'video');
  }, [kind]);
  return (
    <Sheet
      open
      onOpenChange={(isOpen) => !isOpen && dispatchCallAction({ type: 'close' })}
      title={kind === 'video' ? texts.beforeYouCall : texts.beforeYouCallVoiceOnly}
    >
      <h2 className="sr-only">
        {formatText(texts.callKindWithUser, { callKind: CALL_KIND_LABELS[kind], name: target.name })}
      </h2>
      <div className="call-two">
        <div>
          {kind === 'video' && <OwnPicturePreview />}
          <DeviceRows hasVideo={kind === 'video'} hasLevel />
        </div>
        {terms.data ? (
          <CallDecision key={kind} terms={terms.data} target={target} kind={kind} />
        ) : terms.isError ? (
          <ErrorState title={texts.priceError} onRetry={() => void terms.refetch()} busy={terms.isFetching} />
        ) : (
          <div className="call-talk" aria-busy="true">
            <Skeleton style={{ height: 132 }} />
          </div>
        )}
      </div>
    </Sheet>
  );
}
