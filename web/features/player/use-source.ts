/**
 * A stream in its element, through everything that may happen to it: a lost connection that comes back, an address that has
 * run out and is asked for anew, access that has ended, and what cannot be played.
 */
import type { Stream } from '@stagedoor/contract/pictures.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { attach, type Engine, type Failure } from './engine.ts';

/** `offline` goes on by itself; `failed` waits for a hand; `ended`: the viewer may not see this any more. */
export type Trouble = 'offline' | 'failed' | 'unplayable' | 'ended';

export type Source = {
  trouble: Trouble | undefined;
  /** Rungs on offer, tallest first, each by its shorter side; fewer than two is no choice. */
  qualities: readonly number[];
  /** The one chosen; null is: as the connection allows. */
  chosen: number | null;
  /** The one being played, if known. */
  playing: number | undefined;
  choose: (height: number | null) => void;
  retry: () => void;
};

/** Asks again for the viewer's addresses; null when the viewer may not see it any more. */
export type Renew = () => Promise<Stream | null>;

/** Within this time a second refusal is an end, not an address that has run out. */
const RENEWAL_MS = 20_000;

type SourceOptions = {
  /** Seconds to begin at. */
  startAt: number;
  renew: Renew | undefined;
};

export function useSource(element: HTMLMediaElement | null, given: Stream, { startAt, renew }: SourceOptions): Source {
  // Counted, so that a new try attaches anew even to the same addresses.
  const [attempt, setAttempt] = useState({ count: 0, stream: given, at: startAt, plays: true });
  const [trouble, setTrouble] = useState<Trouble>();
  const [qualities, setQualities] = useState<readonly number[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [playing, setPlaying] = useState<number>();
  const engine = useRef<Engine>(undefined);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);

  /** Attaches anew, where it was. */
  const again = (plays: boolean, fresh?: Stream) => {
    setTrouble(undefined);
    setAttempt(({ count, stream, at }) => ({
      count: count + 1,
      stream: fresh ?? stream,
      at: element?.currentTime || at,
      plays,
    }));
  };
  const goOn = useEffectEvent(() => again(true));

  const renewStream = async () => {
    const since = performance.now() - renewedAt.current;
    if (!renew || since < RENEWAL_MS) return setTrouble('failed');
    renewedAt.current = performance.now();
    const plays = element?.paused === false;
    try {
      const stream = await renew();
      if (stream) again(plays, stream);
      else {
        engine.current?.destroy();
        element?.pause();
        setTrouble('ended');
      }
    } catch {
      setTrouble(navigator.onLine ? 'failed' : 'offline');
    }
  };
  const fail = useEffectEvent((failure: Failure) => {
    if (failure === 'refused') void renewStream();
    else if (failure === 'media') setTrouble('unplayable');
    else setTrouble(navigator.onLine ? 'failed' : 'offline');
  });
  const keepChoice = useEffectEvent(() => {
    if (chosen !== null) engine.current?.setQuality(chosen);
  });

  useEffect(() => {
    if (!element) return;
    let isGone = false;
    const { stream, at, plays } = attempt;
    attach(element, stream, at, {
      onQualities: (heights) => {
        setQualities(heights);
        keepChoice();
      },
      onQuality: (height) => setPlaying(height || undefined),
      onFailure: (failure) => !isGone && fail(failure),
    }).then(
      (attached) => {
        if (isGone) return attached.destroy();
        engine.current = attached;
        // A browser may still want a press of its own; then it stands there paused, with its button.
        if (plays) element.play().catch(() => undefined);
      },
      () => !isGone && fail('network'),
    );
    return () => {
      isGone = true;
      engine.current?.destroy();
      engine.current = undefined;
    };
  }, [element, attempt]);

  useEffect(() => {
    if (trouble !== 'offline') return;
    const back = () => goOn();
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [trouble]);

  return {
    trouble,
    qualities,
    chosen,
    playing,
    choose: (height) => {
      setChosen(height);
      engine.current?.setQuality(height);
    },
    retry: () => again(true),
  };
}
