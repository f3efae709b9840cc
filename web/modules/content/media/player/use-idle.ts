import { useEffect, useState } from 'react';

const IDLE_MS = 2_500;
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

export function useIdle(frame: HTMLElement | null, isPlaying: boolean): { isIdle: boolean; toggle: () => void } {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    if (!frame || !isPlaying) return;
    let timer = setTimeout(() => setIsIdle(true), IDLE_MS);
    const handleActivity = (event: Event) => {
      clearTimeout(timer);
      // A tap on the video toggles the controls itself.
      const isTap =
        event instanceof PointerEvent && event.pointerType === 'touch' && event.target instanceof HTMLVideoElement;
      if (!isTap) setIsIdle(false);
      timer = setTimeout(() => setIsIdle(true), IDLE_MS);
    };
    const handleLeave = () => setIsIdle(true);
    for (const name of ACTIVITY_EVENTS) frame.addEventListener(name, handleActivity);
    frame.addEventListener('mouseleave', handleLeave);
    return () => {
      clearTimeout(timer);
      for (const name of ACTIVITY_EVENTS) frame.removeEventListener(name, handleActivity);
      frame.removeEventListener('mouseleave', handleLeave);
    };
  }, [frame, isPlaying]);
  return { isIdle: isIdle && isPlaying, toggle: () => setIsIdle((idle) => !idle) };
}
