import { useEffect, useState } from 'react';

const TICK_MS = 10_000;

/** The current time in milliseconds, updated every few seconds while `isTicking`. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const tick = () => setNow(Date.now());
    const [first, timer] = [setTimeout(tick), setInterval(tick, TICK_MS)];
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [isTicking]);
  return now;
}
