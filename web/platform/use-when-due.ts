import { useEffect, useEffectEvent } from 'react';

/** Runs an action once each time that `isDue` becomes true. */
export function useWhenDue(isDue: boolean, run: () => void): void {
  const runNow = useEffectEvent(run);
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(runNow);
    return () => clearTimeout(timer);
  }, [isDue]);
}
