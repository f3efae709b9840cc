import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useOwnMedia } from './own-media.ts';
import * as texts from './texts.ts';

/**
 * Plays a stream. The viewer's own picture is muted. If the browser blocks autoplay with sound, playback starts at the
 * next touch.
 */
export function StreamVideo({
  stream,
  isOwn = false,
  speaker = '',
  className,
  label,
}: {
  stream: MediaStream;
  isOwn?: boolean;
  speaker?: string;
  className?: string | undefined;
  label: string;
}) {
  const video = useRef<HTMLVideoElement>(null);
  const [fit, setFit] = useState<'cover' | 'contain'>('cover');
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.srcObject = stream;
    const play = () => void element.play().catch(() => undefined);
    play();
    addEventListener('pointerdown', play);
    stream.addEventListener('addtrack', play);
    return () => {
      removeEventListener('pointerdown', play);
      stream.removeEventListener('addtrack', play);
      element.srcObject = null;
    };
  }, [stream]);
  useEffect(() => {
    const element = video.current;
    if (element && !isOwn && 'setSinkId' in element) void element.setSinkId(speaker).catch(() => undefined);
  }, [speaker, isOwn]);
  /** A portrait picture in a landscape frame, or the reverse, is shown whole. */
  const measure = useCallback(() => {
    const element = video.current;
    if (!element?.videoWidth || !element.clientWidth) return;
    const isPortrait = (width: number, height: number) => height > width;
    const isOrientationDifferent =
      isPortrait(element.videoWidth, element.videoHeight) !== isPortrait(element.clientWidth, element.clientHeight);
    setFit(isOrientationDifferent ? 'contain' : 'cover');
  }, []);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (video.current) observer.observe(video.current);
    return () => observer.disconnect();
  }, [measure]);
  return (
    <video
      ref={video}
      className={className}
      aria-label={label}
      data-fit={isOwn ? undefined : fit}
      autoPlay
      playsInline
      muted={isOwn}
      onResize={measure}
      onLoadedMetadata={measure}
    />
  );
}

const streams = new WeakMap<MediaStreamTrack, MediaStream>();

export function toStream(track: MediaStreamTrack): MediaStream {
  const known = streams.get(track) ?? new MediaStream([track]);
  streams.set(track, known);
  return known;
}

export function OwnPicture({ className }: { className: string }) {
  const { camera, isCameraOff } = useOwnMedia();
  const isBack = camera?.getSettings().facingMode === 'environment';
  return (
    <div className={className} data-back={isBack ? '' : undefined}>
      {camera ? (
        <StreamVideo key={camera.id} stream={toStream(camera)} isOwn label={texts.yourVideo} />
      ) : (
        <span>{isCameraOff ? texts.yourCameraIsOff : texts.noCamera}</span>
      )}
    </div>
  );
}

export function AnimatedDots() {
  return (
    <span className="call-dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

const TICK_MS = 250;
const subscribe = (tick: () => void) => {
  const timer = setInterval(tick, TICK_MS);
  return () => clearInterval(timer);
};
const getTick = () => Math.floor(performance.now() / TICK_MS) * TICK_MS;

/** The tab's own clock in milliseconds, updated four times a second. */
export function useTick(): number {
  return useSyncExternalStore(subscribe, getTick, () => 0);
}
