import { useEffect, useState, useSyncExternalStore } from 'react';
import { formatDuration } from '../../kernel/dates.ts';
import { Button } from '../../ui/button.tsx';
import type { Playback } from './use-playback.ts';
import type { Source, Trouble } from './use-source.ts';

export const TROUBLE_WORDS: Readonly<Record<Trouble, string>> = {
  offline: 'You’re offline. Playback resumes when you’re back online.',
  failed: 'Couldn’t load this.',
  unplayable: 'Your browser can’t play this.',
  ended: 'You no longer have access to this.',
};

const WAIT_MS = 400;
const RESUMED_MS = 10_000;

function useLasting(is: boolean, afterMs: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!is) return;
    const timer = setTimeout(() => setLasts(true), afterMs);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [is, afterMs]);
  return is && lasts;
}

function listenToConnection(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

export function useTrouble({ trouble }: Source, { isWaiting }: Playback): Trouble | undefined {
  const isOnline = useSyncExternalStore(
    listenToConnection,
    () => navigator.onLine,
    () => true,
  );
  return trouble ?? (isWaiting && !isOnline ? 'offline' : undefined);
}

type TroubleNoteProps = { trouble: Trouble | undefined; retry: () => void; onEnded: (() => void) | undefined };

function TroubleNote({ trouble, retry, onEnded }: TroubleNoteProps) {
  if (!trouble) return null;
  return (
    <div className="player__trouble" role="alert">
      <p>{TROUBLE_WORDS[trouble]}</p>
      {trouble === 'failed' || trouble === 'unplayable' ? (
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      ) : (
        trouble === 'ended' && onEnded && <Button onClick={onEnded}>View details</Button>
      )}
    </div>
  );
}

export type NotesProps = {
  playback: Playback;
  source: Source;
  flash: string;
  /** The position in seconds where playback resumed. 0 is the start. */
  startedAt: number;
  onStartOver: () => void;
  onEnded: (() => void) | undefined;
};

export function Notes({ playback, source, flash, startedAt, onStartOver, onEnded }: NotesProps) {
  const trouble = useTrouble(source, playback);
  const isWaiting = useLasting(playback.isWaiting || (!playback.hasFrame && !trouble), WAIT_MS);
  const isResumedLongAgo = useLasting(startedAt > 0 && playback.hasFrame, RESUMED_MS);
  const [isOver, setIsOver] = useState(false);
  const isResumed = startedAt > 0 && !isOver && !isResumedLongAgo;
  return (
    <>
      <p className="player__note num" role="status">
        {flash || (isWaiting && !trouble ? 'Loading…' : '')}
      </p>
      {isResumed && !trouble && (
        <p className="player__resumed num">
          Resumed at {formatDuration(startedAt)}
          <button
            type="button"
            className="player__btn player__btn--words"
            onClick={() => {
              setIsOver(true);
              onStartOver();
            }}
          >
            Start over
          </button>
        </p>
      )}
      <TroubleNote trouble={trouble} retry={source.retry} onEnded={onEnded} />
    </>
  );
}
