/** Whether something may move by itself: it is in view, and its viewer asked neither for stillness nor to save data. */
import { useEffect, useEffectEvent } from 'react';
import { isSavingData } from './engine.ts';

/** Calls once, when the element of a moving picture comes into view where moving is welcome. */
export function useWelcome(element: HTMLElement | null, isMoving: boolean, onWelcome: () => void): void {
  const welcome = useEffectEvent(onWelcome);
  useEffect(() => {
    if (!element || !isMoving || isSavingData()) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      welcome();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, isMoving]);
}
