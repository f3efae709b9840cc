import type { CallKind } from '@stagedoor/contract/messaging/call-states.ts';
import { type CallTerms, getCallTerms } from '@stagedoor/contract/messaging/calls.ts';
import { profilePath, signupGatePath, subscribePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type PresenceStatus, usePresence } from '../../../platform/presence.ts';
import { apiQuery } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/class-names.ts';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { CALL_KIND_LABELS, formatUnavailableReason } from './call-labels.ts';
import { type CallableUser, openCallCheck } from './open-call.ts';
import * as texts from './texts.ts';

const callTermsQuery = (id: string) => apiQuery(getCallTerms, { params: { id } });

const DISABLED_LABEL = texts.callsUnavailable;

/** Whether terms were read while the creator had another presence. */
function isContradicted({ unavailableReason: reason }: CallTerms, presence: PresenceStatus): boolean {
  if (reason === 'offline' || reason === 'busy') return reason !== presence;
  return reason === null && (presence === 'offline' || presence === 'busy');
}

function useCallTerms({ id }: CallableUser, isFan: boolean, isEnabled = isFan) {
  const terms = useQuery({ ...callTermsQuery(id), enabled: isEnabled });
  // Changes in presence change who can be called. Terms and presence are read one after the other, so the first presence
  // is compared with the terms.
  const presence = usePresence(id, undefined);
  const lastPresence = useRef<PresenceStatus>(undefined);
  const { refetch } = terms;
  const refetchIfChanged = useEffectEvent((current: PresenceStatus) => {
    const isChanged =
      lastPresence.current === undefined
        ? terms.data && isContradicted(terms.data, current)
        : lastPresence.current !== current;
    lastPresence.current = current;
    if (isChanged && isFan) void refetch();
  });
  const hasTerms = terms.data !== undefined;
  useEffect(() => {
    if (hasTerms && presence !== undefined) refetchIfChanged(presence);
  }, [hasTerms, presence]);
  return terms.data;
}

function findMainCall({ videoRate, audioRate }: Pick<CallTerms, 'videoRate' | 'audioRate'>) {
  if (videoRate !== null) return { kind: 'video', rate: videoRate } as const;
  return audioRate === null ? undefined : ({ kind: 'audio', rate: audioRate } as const);
}

const ICONS = { video: 'video', audio: 'phone' } as const;

/** Whether the viewer could call this creator now. Undefined until that is known. */
export function useCanCall(creator: CallableUser): boolean | undefined {
  const viewer = useViewer();
  const isFan = viewer?.type === 'customer';
  const terms = useCallTerms(creator, isFan, isFan || !viewer);
  const disabledMessage = useFeatureDisabledMessage('calls');
  return terms && terms.unavailableReason === null && disabledMessage === undefined;
}

/** @param isFirst Whether calling is the one primary action of the page. */
export function CallButton({ creator, isFirst = true }: { creator: CallableUser; isFirst?: boolean }) {
  const viewer = useViewer();
  const isFan = viewer?.type === 'customer';
  const terms = useCallTerms(creator, isFan, isFan || !viewer);
  const disabledMessage = useFeatureDisabledMessage('calls');
  const mainOption = terms && findMainCall(terms);
  if ((viewer && !isFan) || !mainOption) return null;
  const { kind, rate } = mainOption;
  // The page for visitors is shared, so it cannot show times in a visitor's time zone.
  const unavailableLabel =
    disabledMessage === undefined
      ? formatUnavailableReason(viewer ? terms : { ...terms, opensAt: null })
      : DISABLED_LABEL;
  const isCallable = unavailableLabel === undefined;
  if (viewer && disabledMessage === undefined && terms.unavailableReason === 'subscribers')
    return (
      <Button
        variant="line"
        icon={ICONS[kind]}
        className={cx(BUTTON_CLASS, STACKED_CLASS)}
        href={subscribePath(creator.username)}
      >
        {texts.subscribeToCall} <span className="max-sm:hidden">·</span> <RateText usd={rate} />
      </Button>
    );
  if (!viewer && isCallable)
    return (
      <Button
        variant={isFirst ? 'primary' : 'line'}
        icon={ICONS[kind]}
        className={BUTTON_CLASS}
        href={signupGatePath('call', profilePath(creator.username))}
      >
        {formatNodes(texts.callAtRate, { callRate: <RateText usd={rate} /> })}
      </Button>
    );
  const isPriced =
    disabledMessage === undefined && terms.unavailableReason !== 'off' && terms.unavailableReason !== 'blocked';
  // The element stays the same before and after a call so that it gets the focus back, even while the creator is away.
  return (
    <>
      <Button
        variant={isCallable && isFirst ? 'primary' : 'line'}
        icon={ICONS[kind]}
        className={cx('asks', BUTTON_CLASS, !isCallable && STACKED_CLASS)}
        aria-disabled={!isCallable}
        title={disabledMessage}
        onClick={() => {
          if (isCallable) void openCallCheck(creator, kind);
        }}
      >
        {isCallable ? texts.callButton : unavailableLabel}
        {isCallable || isPriced ? (
          <>
            {!isCallable && <span className="max-sm:hidden">·</span>} <RateText usd={rate} />
          </>
        ) : null}
      </Button>
      {isCallable && terms.videoRate !== null && terms.audioRate !== null && (
        <IconButton
          className="asks max-md:hidden"
          icon="phone"
          label={formatText(texts.voiceCallRate, { price: formatUsd(terms.audioRate) })}
          onClick={() => void openCallCheck(creator, 'audio')}
        />
      )}
    </>
  );
}

const BUTTON_CLASS = 'max-md:gap-2 max-md:px-3 max-[23.5rem]:gap-1 max-[23.5rem]:px-2 max-md:[&_.icon]:hidden';

const STACKED_CLASS = 'max-sm:flex-col max-sm:gap-0! max-sm:text-small max-sm:leading-4';

function RateText({ usd }: { usd: number }) {
  return <span className="num">{formatRate(usd)}</span>;
}

export function ThreadCallButtons({ user }: { user: CallableUser }) {
  const isFan = useViewer()?.type === 'customer';
  const terms = useCallTerms(user, isFan);
  const disabledMessage = useFeatureDisabledMessage('calls');
  const mainOption = terms && findMainCall(terms);
  if (!isFan || !mainOption) return null;
  const unavailableLabel = disabledMessage ?? formatUnavailableReason(terms);
  const toButtonProps = (kind: CallKind, rate: number) => {
    const price = `${CALL_KIND_LABELS[kind]}, ${formatRate(rate)}`;
    return {
      ...{
        icon: ICONS[kind],
        label: unavailableLabel ? `${price}. ${unavailableLabel}` : price,
        title: unavailableLabel ?? price,
      },
      ...{ disabled: unavailableLabel !== undefined, onClick: () => void openCallCheck(user, kind) },
    };
  };
  return (
    <>
      {mainOption.kind === 'video' && terms.audioRate !== null && (
        <IconButton className="max-lg:hidden" {...toButtonProps('audio', terms.audioRate)} />
      )}
      <IconButton
        className="asks conv__call"
        {...toButtonProps(mainOption.kind, mainOption.rate)}
        text={
          <span className="max-lg:hidden">
            {formatNodes(texts.threadCallButton, { callRate: <RateText usd={mainOption.rate} /> })}
          </span>
        }
      />
    </>
  );
}

export function ThreadCallRate({ user }: { user: CallableUser }) {
  const isFan = useViewer()?.type === 'customer';
  const terms = useCallTerms(user, isFan);
  const mainOption = terms && findMainCall(terms);
  return isFan && mainOption && terms.unavailableReason !== 'off' && terms.unavailableReason !== 'blocked' ? (
    <span className="lg:hidden">
      {' '}
      · <RateText usd={mainOption.rate} />
    </span>
  ) : null;
}
