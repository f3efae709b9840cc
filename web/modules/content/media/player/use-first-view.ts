import { useEffect, useEffectEvent } from 'react';
import { isSavingData } from './engine.ts';

/** Calls `onFirstView` once when the element comes into view, unless the user prefers reduced motion or saves data. */
export function useFirstView(element: HTMLElement | null, isAnimated: boolean, onFirstView: () => void): void {
  const handleFirstView = useEffectEvent(onFirstView);
  useEffect(() => {
    if (!element || !isAnimated || isSavingData()) return;
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      handleFirstView();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, isAnimated]);
}
