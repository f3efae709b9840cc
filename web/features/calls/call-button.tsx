import { doorPath, profilePath } from '@stagedoor/contract/addresses.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { CallKind } from '@stagedoor/contract/call-states.ts';
import { type CallTerms, getCallTerms } from '@stagedoor/contract/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useStopped } from '../../kernel/house.ts';
import { usePresence } from '../../kernel/presence.ts';
import { apiQuery } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { type Callable, openCheck } from './opening.ts';
import { absenceWords, KIND_WORDS } from './words.ts';

const termsQuery = (id: string) => apiQuery(getCallTerms, { params: { id } });

const STOPPED = 'Calls unavailable';

function useTerms({ id }: Callable, isFan: boolean, isAsked = isFan) {
  const terms = useQuery({ ...termsQuery(id), enabled: isAsked });
  // Changes in presence, also between the page data and the socket connection, change who can be called.
  const presence = usePresence(id, undefined);
  const known = useRef(presence);
  const { refetch } = terms;
  const toldOffline = terms.data?.absence === 'offline';
  useEffect(() => {
    const isNews = known.current === undefined ? toldOffline && presence !== 'offline' : known.current !== presence;
    if (presence === undefined) return;
    known.current = presence;
    if (isNews && isFan) void refetch();
  }, [presence, toldOffline, isFan, refetch]);
  return terms.data;
}

function mainCall({ videoRate, audioRate }: Pick<CallTerms, 'videoRate' | 'audioRate'>) {
  if (videoRate !== null) return { kind: 'video', rate: videoRate } as const;
  return audioRate === null ? undefined : ({ kind: 'audio', rate: audioRate } as const);
}

const ICONS = { video: 'video', audio: 'phone' } as const;

/** Whether the viewer could call this creator now. Undefined until that is known. */
export function useCanCall(creator: Callable): boolean | undefined {
  const viewer = useViewer();
  const isFan = viewer?.type === 'customer';
  const terms = useTerms(creator, isFan, isFan || !viewer);
  const stopped = useStopped('calls');
  return terms && terms.absence === null && stopped === undefined;
}

export function CallButton({ creator }: { creator: Callable }) {
  const viewer = useViewer();
  const isFan = viewer?.type === 'customer';
  const terms = useTerms(creator, isFan, isFan || !viewer);
  const stopped = useStopped('calls');
  const main = terms && mainCall(terms);
  if ((viewer && !isFan) || !main) return null;
  const { kind, rate } = main;
  // The page for visitors is shared, so it cannot show times in a visitor's time zone.
  const absent = stopped === undefined ? absenceWords(viewer ? terms : { ...terms, opensAt: null }) : STOPPED;
  const isThere = absent === undefined;
  if (!viewer && isThere)
    return (
      <Button
        variant="primary"
        icon={ICONS[kind]}
        className={FACE}
        href={doorPath('call', profilePath(creator.username))}
      >
        Call <Price usd={rate} />
      </Button>
    );
  const isPriced = stopped === undefined && terms.absence !== 'off' && terms.absence !== 'blocked';
  // The element stays the same before and after a call so that it gets the focus back, even while the creator is away.
  return (
    <>
      <Button
        variant={isThere ? 'primary' : 'line'}
        icon={ICONS[kind]}
        className={cx('asks', FACE, !isThere && STACKED)}
        aria-disabled={!isThere}
        title={stopped}
        onClick={() => {
          if (isThere) void openCheck(creator, kind);
        }}
      >
        {isThere ? 'Call' : absent}
        {isThere || isPriced ? (
          <>
            {!isThere && <span className="max-sm:hidden">·</span>} <Price usd={rate} />
          </>
        ) : null}
      </Button>
      {isThere && terms.videoRate !== null && terms.audioRate !== null && (
        <IconButton
          className="asks max-md:hidden"
          icon="phone"
          label={`Voice call, ${formatUsd(terms.audioRate)} per minute`}
          onClick={() => void openCheck(creator, 'audio')}
        />
      )}
    </>
  );
}

const FACE = 'max-md:gap-2 max-md:px-3 max-[23.5rem]:gap-1 max-[23.5rem]:px-2 max-md:[&_.icon]:hidden';

const STACKED = 'max-sm:flex-col max-sm:gap-0! max-sm:text-small max-sm:leading-4';

function Price({ usd }: { usd: number }) {
  return <span className="num">{formatRate(usd)}</span>;
}

export function ThreadCallButtons({ person }: { person: Callable }) {
  const isFan = useViewer()?.type === 'customer';
  const terms = useTerms(person, isFan);
  const stopped = useStopped('calls');
  const main = terms && mainCall(terms);
  if (!isFan || !main) return null;
  const absent = stopped ?? absenceWords(terms);
  const button = (kind: CallKind, rate: number) => {
    const price = `${KIND_WORDS[kind]}, ${formatRate(rate)}`;
    return {
      ...{ icon: ICONS[kind], label: absent ? `${price}. ${absent}` : price, title: absent ?? price },
      ...{ disabled: absent !== undefined, onClick: () => void openCheck(person, kind) },
    };
  };
  return (
    <>
      {main.kind === 'video' && terms.audioRate !== null && (
        <IconButton className="max-lg:hidden" {...button('audio', terms.audioRate)} />
      )}
      <IconButton
        className="asks conv__call"
        {...button(main.kind, main.rate)}
        text={
          <span className="max-lg:hidden">
            Call · <Price usd={main.rate} />
          </span>
        }
      />
    </>
  );
}

export function ThreadCallRate({ person }: { person: Callable }) {
  const isFan = useViewer()?.type === 'customer';
  const terms = useTerms(person, isFan);
  const main = terms && mainCall(terms);
  return isFan && main && terms.absence !== 'off' && terms.absence !== 'blocked' ? (
    <span className="lg:hidden">
      {' '}
      · <Price usd={main.rate} />
    </span>
  ) : null;
}
