import { useRef } from 'react';

/** Ignores presses until the request of the first one has settled, also before the button is rendered as busy. */
export function useSingleFlight(): (send: (onSettled: () => void) => void) => void {
  const isRunning = useRef(false);
  return (send) => {
    if (isRunning.current) return;
    isRunning.current = true;
    send(() => {
      isRunning.current = false;
    });
  };
}
