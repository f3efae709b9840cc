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

type Addresses = Pick<Stream, 'hls' | 'file'>;
const hasSameAddresses = (one: Addresses, other: Addresses) => one.hls === other.hls && one.file === other.file;

/**
 * A stream whose addresses change during playback, because a better rendition is complete or access has changed, is not
 * attached at once, because that would interrupt. It is attached with the next attempt.
 */
export function useSource(
  element: HTMLMediaElement | null,
  stream: Stream,
  { startAt, renew }: SourceOptions,
): PlayerSource {
  // A counter, so that a retry attaches again even with the same URLs. `given` is the stream of the page at that time.
  const [attempt, setAttempt] = useState({ count: 0, stream, given: stream, at: startAt, shouldPlay: true });
  const [problem, setProblem] = useState<PlaybackProblem>();
  const [qualities, setQualities] = useState<readonly number[]>([]);
  const [selectedHeight, setSelectedHeight] = useState<number | null>(null);
  const [playingHeight, setPlayingHeight] = useState<number>();
  const engine = useRef<Engine>(undefined);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);

  const reattach = (shouldPlay: boolean, freshStream?: Stream) => {
    setProblem(undefined);
    setAttempt((before) => ({
      count: before.count + 1,
      stream: freshStream ?? (hasSameAddresses(before.given, stream) ? before.stream : stream),
      given: stream,
      at: element?.currentTime || before.at,
      shouldPlay,
    }));
  };
  const resume = useEffectEvent(() => reattach(true));

  const renewStream = async () => {
    const shouldPlay = element?.paused === false;
    if (!hasSameAddresses(attempt.given, stream)) return reattach(shouldPlay, stream);
    const since = performance.now() - renewedAt.current;
    if (!renew || since < RENEWAL_MS) return setProblem('failed');
    renewedAt.current = performance.now();
    try {
      const freshStream = await renew();
      if (freshStream) reattach(shouldPlay, freshStream);
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
    const { at, shouldPlay } = attempt;
    attachStream(element, attempt.stream, at, {
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
