/** Reports the playing media to the system for media keys, headsets and the lock screen. */
import type { Picture } from '@stagedoor/contract/pictures.ts';
import { useEffect } from 'react';

export type Playing = { title: string; artist: string; picture: Picture };

const STEP_SECONDS = 10;

export function useMediaSession(element: HTMLMediaElement | null, { title, artist, picture }: Playing): void {
  const { url, width, height } = picture;
  useEffect(() => {
    if (!element || !('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    const by = (seconds: number) => {
      element.currentTime = Math.min(Math.max(0, element.currentTime + seconds), element.duration || 0);
    };
    const say = () => {
      session.metadata = new MediaMetadata({
        title,
        artist,
        artwork: url ? [{ src: url, sizes: `${width}x${height}` }] : [],
      });
      session.setActionHandler('play', () => void element.play().catch(() => undefined));
      session.setActionHandler('pause', () => element.pause());
      session.setActionHandler('seekbackward', ({ seekOffset }) => by(-(seekOffset ?? STEP_SECONDS)));
      session.setActionHandler('seekforward', ({ seekOffset }) => by(seekOffset ?? STEP_SECONDS));
      session.setActionHandler('seekto', ({ seekTime }) => {
        if (seekTime !== undefined && seekTime !== null) element.currentTime = seekTime;
      });
    };
    const place = () => {
      const { duration, currentTime, playbackRate } = element;
      if (element.paused || !Number.isFinite(duration) || currentTime > duration || playbackRate <= 0) return;
      session.setPositionState({ duration, position: currentTime, playbackRate });
    };
    const places = ['play', 'seeked', 'ratechange', 'durationchange'] as const;
    element.addEventListener('play', say);
    for (const event of places) element.addEventListener(event, place);
    return () => {
      element.removeEventListener('play', say);
      for (const event of places) element.removeEventListener(event, place);
      if (session.metadata?.title === title) session.metadata = null;
    };
  }, [element, title, artist, url, width, height]);
}
