import { useEffect, useEffectEvent } from 'react';
import { isSavingData } from './engine.ts';

/** Calls `onWelcome` once when the element comes into view, unless the user prefers reduced motion or saves data. */
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
