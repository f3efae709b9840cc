/**
 * Attaches a stream and handles failures: lost connections, expired URLs that are renewed, ended access and unplayable
 * media.
 */
import type { Stream } from '@stagedoor/contract/content/pictures.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { attachStream, type Engine, type StreamFailure } from './engine.ts';

/** `offline` recovers by itself. `failed` needs a manual retry. `ended` means that the viewer has lost access. */
export type PlaybackProblem = 'offline' | 'failed' | 'unplayable' | 'ended';

export type PlayerSource = {
  problem: PlaybackProblem | undefined;
  /** Available renditions by their shorter side, tallest first. With fewer than two there is no choice. */
  qualities: readonly number[];
  selectedHeight: number | null;
  playingHeight: number | undefined;
  choose: (height: number | null) => void;
  retry: () => void;
};

/** Requests fresh URLs. Resolves to null when the viewer has lost access. */
export type RenewStream = () => Promise<Stream | null>;

/** A second refusal within this time means ended access rather than an expired URL. */
const RENEWAL_MS = 20_000;

type SourceOptions = {
  /** Seconds. */
  startAt: number;
  renew: RenewStream | undefined;
};

export function useSource(
  element: HTMLMediaElement | null,
  initialStream: Stream,
  { startAt, renew }: SourceOptions,
): PlayerSource {
  // A counter, so that a retry attaches again even with the same URLs.
  const [attempt, setAttempt] = useState({ count: 0, stream: initialStream, at: startAt, shouldPlay: true });
  const [problem, setProblem] = useState<PlaybackProblem>();
  const [qualities, setQualities] = useState<readonly number[]>([]);
  const [selectedHeight, setSelectedHeight] = useState<number | null>(null);
  const [playingHeight, setPlayingHeight] = useState<number>();
  const engine = useRef<Engine>(undefined);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);

  const reattach = (shouldPlay: boolean, freshStream?: Stream) => {
    setProblem(undefined);
    setAttempt(({ count, stream, at }) => ({
      count: count + 1,
      stream: freshStream ?? stream,
      at: element?.currentTime || at,
      shouldPlay,
    }));
  };
  const resume = useEffectEvent(() => reattach(true));

  const renewStream = async () => {
    const since = performance.now() - renewedAt.current;
    if (!renew || since < RENEWAL_MS) return setProblem('failed');
    renewedAt.current = performance.now();
    const shouldPlay = element?.paused === false;
    try {
      const stream = await renew();
      if (stream) reattach(shouldPlay, stream);
      else {
        engine.current?.destroy();
        element?.pause();
        setProblem('ended');
      }
    } catch {
      setProblem(navigator.onLine ? 'failed' : 'offline');
    }
  };
  const handleFailure = useEffectEvent((failure: StreamFailure) => {
    if (failure === 'refused') void renewStream();
    else if (failure === 'media') setProblem('unplayable');
    else setProblem(navigator.onLine ? 'failed' : 'offline');
  });
  const applySelectedQuality = useEffectEvent(() => {
    if (selectedHeight !== null) engine.current?.setQuality(selectedHeight);
  });

  useEffect(() => {
    if (!element) return;
    let isUnmounted = false;
    const { stream, at, shouldPlay } = attempt;
    attachStream(element, stream, at, {
      onQualities: (heights) => {
        setQualities(heights);
        applySelectedQuality();
      },
      onQuality: (height) => setPlayingHeight(height || undefined),
      onFailure: (failure) => !isUnmounted && handleFailure(failure),
    }).then(
      (attached) => {
        if (isUnmounted) return attached.destroy();
        engine.current = attached;
        // If the browser blocks autoplay, the video stays paused with its play button.
        if (shouldPlay) element.play().catch(() => undefined);
      },
      () => !isUnmounted && handleFailure('network'),
    );
    return () => {
      isUnmounted = true;
      engine.current?.destroy();
      engine.current = undefined;
    };
  }, [element, attempt]);

  useEffect(() => {
    if (problem !== 'offline') return;
    const handleOnline = () => resume();
    window.addEventListener('online', handleOnline);
    return () => window.removeEventListener('online', handleOnline);
  }, [problem]);

  return {
    problem,
    qualities,
    selectedHeight,
    playingHeight,
    choose: (height) => {
      setSelectedHeight(height);
      engine.current?.setQuality(height);
    },
    retry: () => reattach(true),
  };
}
