/** Calling from a profile or a thread: what a minute costs, or why nobody can call now. The check comes with the press. */
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

const STOPPED = 'No calls for now';

function useTerms({ id }: Callable, isFan: boolean, isAsked = isFan) {
  const terms = useQuery({ ...termsQuery(id), enabled: isAsked });
  // Whoever comes or goes can be called, or cannot any more; also between the page's data and its connection.
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

/** A call's kind and rate by the one button that calls: video, or voice where no video is offered (docs/decisions/0200). */
function mainCall({ videoRate, audioRate }: Pick<CallTerms, 'videoRate' | 'audioRate'>) {
  if (videoRate !== null) return { kind: 'video', rate: videoRate } as const;
  return audioRate === null ? undefined : ({ kind: 'audio', rate: audioRate } as const);
}

const ICONS = { video: 'video', audio: 'phone' } as const;

/** Whether the viewer would be let through to a call now; undefined until that is known. */
export function useCanCall(creator: Callable): boolean | undefined {
  const viewer = useViewer();
  const isFan = viewer?.type === 'customer';
  const terms = useTerms(creator, isFan, isFan || !viewer);
  const stopped = useStopped('calls');
  return terms && terms.absence === null && stopped === undefined;
}

/** In a profile's row of actions. A visitor who presses it is asked to sign up, while it could be taken. */
export function CallButton({ creator }: { creator: Callable }) {
  const viewer = useViewer();
  const isFan = viewer?.type === 'customer';
  const terms = useTerms(creator, isFan, isFan || !viewer);
  const stopped = useStopped('calls');
  const main = terms && mainCall(terms);
  if ((viewer && !isFan) || !main) return null;
  const { kind, rate } = main;
  // Visitors share a page, which knows no time of theirs.
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
  // What is not taken at all has no price: who is only away has.
  const isPriced = stopped === undefined && terms.absence !== 'off' && terms.absence !== 'blocked';
  // The same button before a call and after it: the focus comes back to it, also while the creator is not there yet.
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
          label={`Voice call, ${formatUsd(terms.audioRate)} a minute`}
          onClick={() => void openCheck(creator, 'audio')}
        />
      )}
    </>
  );
}

/** On a phone the verb stays, and the picture of it goes. */
const FACE = 'max-md:gap-2 max-md:px-3 max-[23.5rem]:gap-1 max-[23.5rem]:px-2 max-md:[&_.icon]:hidden';

/** Why nobody can call now may be longer than a phone is wide. */
const STACKED = 'max-sm:flex-col max-sm:gap-0! max-sm:text-small max-sm:leading-4';

function Price({ usd }: { usd: number }) {
  return <span className="num">{formatRate(usd)}</span>;
}

/** In the head of a thread: one button with its price, and on a desk the other kind beside it. */
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

/** On a phone the price stands beside who it is. */
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
