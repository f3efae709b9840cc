import { useEffect, useState } from 'react';

const IDLE_MS = 2_500;
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

export function useIdle(frame: HTMLElement | null, isPlaying: boolean): { isIdle: boolean; toggle: () => void } {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    if (!frame || !isPlaying) return;
    let timer = setTimeout(() => setIsIdle(true), IDLE_MS);
    const touch = (event: Event) => {
      clearTimeout(timer);
      // A tap on the video toggles the controls itself.
      const isTap =
        event instanceof PointerEvent && event.pointerType === 'touch' && event.target instanceof HTMLVideoElement;
      if (!isTap) setIsIdle(false);
      timer = setTimeout(() => setIsIdle(true), IDLE_MS);
    };
    const leave = () => setIsIdle(true);
    for (const name of TOUCHES) frame.addEventListener(name, touch);
    frame.addEventListener('mouseleave', leave);
    return () => {
      clearTimeout(timer);
      for (const name of TOUCHES) frame.removeEventListener(name, touch);
      frame.removeEventListener('mouseleave', leave);
    };
  }, [frame, isPlaying]);
  return { isIdle: isIdle && isPlaying, toggle: () => setIsIdle((idle) => !idle) };
}
