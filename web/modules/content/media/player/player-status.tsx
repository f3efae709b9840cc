import { useEffect, useState, useSyncExternalStore } from 'react';
import { formatDuration } from '../../../../platform/dates.ts';
import { Button } from '../../../../ui/button.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import * as texts from '../texts.ts';
import type { Playback } from './use-playback.ts';
import type { PlaybackProblem, PlayerSource } from './use-source.ts';

export const PROBLEM_MESSAGES: Readonly<Record<PlaybackProblem, string>> = {
  offline: texts.offlinePlaybackHint,
  failed: texts.couldntLoadThis,
  unplayable: texts.unsupportedByBrowser,
  ended: texts.accessLost,
};

const WAIT_MS = 400;
const RESUMED_MS = 10_000;

function useDelayedTrue(condition: boolean, afterMs: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setHasLasted(true), afterMs);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [condition, afterMs]);
  return condition && hasLasted;
}

function subscribeToConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function usePlaybackProblem({ problem }: PlayerSource, { isWaiting }: Playback): PlaybackProblem | undefined {
  const isOnline = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
  return problem ?? (isWaiting && !isOnline ? 'offline' : undefined);
}

type ProblemNoticeProps = {
  problem: PlaybackProblem | undefined;
  retry: () => void;
  onEnded: (() => void) | undefined;
};

function ProblemNotice({ problem, retry, onEnded }: ProblemNoticeProps) {
  if (!problem) return null;
  return (
    <div className="player__trouble" role="alert">
      <p>{PROBLEM_MESSAGES[problem]}</p>
      {problem === 'failed' || problem === 'unplayable' ? (
        <Button icon="refresh" onClick={retry}>
          {texts.tryAgain}
        </Button>
      ) : (
        problem === 'ended' && onEnded && <Button onClick={onEnded}>{texts.viewDetails}</Button>
      )}
    </div>
  );
}

export type PlayerStatusProps = {
  playback: Playback;
  source: PlayerSource;
  announcement: string;
  /** The position in seconds where playback resumed. 0 is the start. */
  startedAt: number;
  onStartOver: () => void;
  onEnded: (() => void) | undefined;
};

export function PlayerStatus({ playback, source, announcement, startedAt, onStartOver, onEnded }: PlayerStatusProps) {
  const problem = usePlaybackProblem(source, playback);
  const isWaiting = useDelayedTrue(playback.isWaiting || (!playback.hasFrame && !problem), WAIT_MS);
  const isResumedLongAgo = useDelayedTrue(startedAt > 0 && playback.hasFrame, RESUMED_MS);
  const [isDismissed, setIsDismissed] = useState(false);
  const isResumed = startedAt > 0 && !isDismissed && !isResumedLongAgo;
  return (
    <>
      <p className="player__note num" role="status">
        {announcement || (isWaiting && !problem ? texts.loading : '')}
      </p>
      {isResumed && !problem && (
        <p className="player__resumed num">
          {formatNodes(texts.resumedAt, {
            startedAt: formatDuration(startedAt),
            startOverButton: (
              <button
                type="button"
                className="player__btn player__btn--words"
                onClick={() => {
                  setIsDismissed(true);
                  onStartOver();
                }}
              >
                {texts.startOver}
              </button>
            ),
          })}
        </p>
      )}
      <ProblemNotice problem={problem} retry={source.retry} onEnded={onEnded} />
    </>
  );
}
