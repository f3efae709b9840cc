/** Calling from a profile or a thread: what a minute costs, or why nobody can call now. The check comes with the press. */
import { doorPath, profilePath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { CallKind } from '@stagedoor/contract/call-states.ts';
import { getCallTerms } from '@stagedoor/contract/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useStopped } from '../../kernel/house.ts';
import { usePresence } from '../../kernel/presence.ts';
import { apiQuery } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { type Callable, openCheck } from './opening.ts';
import { absenceWords, KIND_WORDS, rateWords } from './words.ts';

const termsQuery = (id: string) => apiQuery(getCallTerms, { params: { id } });

const STOPPED = 'No calls for now';

function useTerms({ id }: Callable, isFan: boolean, isAsked = isFan) {
  const terms = useQuery({ ...termsQuery(id), enabled: isAsked });
  // Whoever comes or goes can be called, or cannot any more.
  const presence = usePresence(id, undefined);
  const known = useRef(presence);
  const { refetch } = terms;
  useEffect(() => {
    const isNews = known.current !== undefined && known.current !== presence;
    known.current = presence;
    if (isNews && isFan) void refetch();
  }, [presence, isFan, refetch]);
  return terms.data;
}

/** In a profile's row of actions. A visitor who presses it is asked to sign up, while it could be taken. */
export function CallButton({ creator }: { creator: Callable }) {
  const viewer = useViewer();
  const isFan = viewer?.type === 'customer';
  const terms = useTerms(creator, isFan, isFan || !viewer);
  const stopped = useStopped('calls');
  const rate = terms && (terms.videoRate ?? terms.audioRate);
  if ((viewer && !isFan) || !terms || rate === null || rate === undefined) return null;
  const kind: CallKind = terms.videoRate === null ? 'audio' : 'video';
  const icon = kind === 'video' ? 'video' : 'phone';
  // Visitors share a page, which knows no time of theirs.
  const absent = stopped === undefined ? absenceWords(viewer ? terms : { ...terms, opensAt: null }) : STOPPED;
  const isThere = absent === undefined;
  if (!viewer && isThere)
    return (
      <Button variant="primary" icon={icon} className={FACE} href={doorPath('call', profilePath(creator.username))}>
        <Price usd={rate} />
      </Button>
    );
  // The same button before a call and after it: the focus comes back to it, also while the creator is not there yet.
  return (
    <>
      <Button
        variant={isThere ? 'primary' : 'line'}
        icon={icon}
        className={cx('asks', isThere && FACE)}
        aria-disabled={!isThere}
        title={stopped}
        onClick={() => {
          if (isThere) void openCheck(creator, kind);
        }}
      >
        {absent ?? <Price usd={rate} />}
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

const FACE = 'max-md:gap-2 max-md:px-3';

function Price({ usd }: { usd: number }) {
  return (
    <>
      <span className="max-md:sr-only">Call</span> <span className="num">{rateWords(usd)}</span>
    </>
  );
}

/** In the head of a thread. */
export function ThreadCallButtons({ person }: { person: Callable }) {
  const isFan = useViewer()?.type === 'customer';
  const terms = useTerms(person, isFan);
  const stopped = useStopped('calls');
  if (!isFan || !terms) return null;
  const absent = stopped ?? absenceWords(terms);
  return (['audio', 'video'] as const).map((kind) => {
    const rate = kind === 'video' ? terms.videoRate : terms.audioRate;
    if (rate === null) return null;
    const price = `${KIND_WORDS[kind]}, ${formatUsd(rate)} a minute`;
    return (
      <IconButton
        key={kind}
        icon={kind === 'video' ? 'video' : 'phone'}
        label={absent ? `${price}. ${absent}` : price}
        title={absent ?? price}
        disabled={absent !== undefined}
        onClick={() => void openCheck(person, kind)}
      />
    );
  });
}
