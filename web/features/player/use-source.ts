/**
 * Attaches a stream and handles failures: lost connections, expired URLs that are renewed, ended access and unplayable
 * media.
 */
import type { Stream } from '@stagedoor/contract/pictures.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { attach, type Engine, type Failure } from './engine.ts';

/** `offline` recovers by itself. `failed` needs a manual retry. `ended` means that the viewer has lost access. */
export type Trouble = 'offline' | 'failed' | 'unplayable' | 'ended';

export type Source = {
  trouble: Trouble | undefined;
  /** Available renditions by their shorter side, tallest first. With fewer than two there is no choice. */
  qualities: readonly number[];
  chosen: number | null;
  playing: number | undefined;
  choose: (height: number | null) => void;
  retry: () => void;
};

/** Requests fresh URLs. Resolves to null when the viewer has lost access. */
export type Renew = () => Promise<Stream | null>;

/** A second refusal within this time means ended access rather than an expired URL. */
const RENEWAL_MS = 20_000;

type SourceOptions = {
  /** Seconds. */
  startAt: number;
  renew: Renew | undefined;
};

export function useSource(element: HTMLMediaElement | null, given: Stream, { startAt, renew }: SourceOptions): Source {
  // A counter, so that a retry attaches again even with the same URLs.
  const [attempt, setAttempt] = useState({ count: 0, stream: given, at: startAt, plays: true });
  const [trouble, setTrouble] = useState<Trouble>();
  const [qualities, setQualities] = useState<readonly number[]>([]);
  const [chosen, setChosen] = useState<number | null>(null);
  const [playing, setPlaying] = useState<number>();
  const engine = useRef<Engine>(undefined);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);

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
        // If the browser blocks autoplay, the video stays paused with its play button.
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
