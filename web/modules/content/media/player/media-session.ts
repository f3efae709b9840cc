/** Reports the playing media to the system for media keys, headsets and the lock screen. */
import type { Picture } from '@stagedoor/contract/content/pictures.ts';
import { useEffect } from 'react';

export type PlayingMedia = { title: string; artist: string; picture: Picture };

const STEP_SECONDS = 10;

export function useMediaSession(element: HTMLMediaElement | null, { title, artist, picture }: PlayingMedia): void {
  const { url, width, height } = picture;
  useEffect(() => {
    if (!element || !('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    const seekBy = (seconds: number) => {
      element.currentTime = Math.min(Math.max(0, element.currentTime + seconds), element.duration || 0);
    };
    const updateMetadata = () => {
      session.metadata = new MediaMetadata({
        title,
        artist,
        artwork: url ? [{ src: url, sizes: `${width}x${height}` }] : [],
      });
      session.setActionHandler('play', () => void element.play().catch(() => undefined));
      session.setActionHandler('pause', () => element.pause());
      session.setActionHandler('seekbackward', ({ seekOffset }) => seekBy(-(seekOffset ?? STEP_SECONDS)));
      session.setActionHandler('seekforward', ({ seekOffset }) => seekBy(seekOffset ?? STEP_SECONDS));
      session.setActionHandler('seekto', ({ seekTime }) => {
        if (seekTime !== undefined && seekTime !== null) element.currentTime = seekTime;
      });
    };
    const updatePosition = () => {
      const { duration, currentTime, playbackRate } = element;
      if (element.paused || !Number.isFinite(duration) || currentTime > duration || playbackRate <= 0) return;
      session.setPositionState({ duration, position: currentTime, playbackRate });
    };
    const positionEvents = ['play', 'seeked', 'ratechange', 'durationchange'] as const;
    element.addEventListener('play', updateMetadata);
    for (const event of positionEvents) element.addEventListener(event, updatePosition);
    return () => {
      element.removeEventListener('play', updateMetadata);
      for (const event of positionEvents) element.removeEventListener(event, updatePosition);
      if (session.metadata?.title === title) session.metadata = null;
    };
  }, [element, title, artist, url, width, height]);
}
