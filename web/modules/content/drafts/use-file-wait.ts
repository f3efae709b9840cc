import { useState } from 'react';
import { guardDoubleTap } from '../../../ui/double-tap-guard.ts';
import { arePending, findFilesProblem } from './items.ts';
import type { PostFiles } from './use-files.ts';

export type FileWait = {
  isWaiting: boolean;
  isPending: boolean;
  /** True once no file is pending, or one has a problem, which a submission reports. */
  isDue: boolean;
  start: () => void;
  stop: () => void;
};

/** The wait of a submission for its files. A scheduled post only waits for uploads. */
export function useFileWait({ items, resume }: Pick<PostFiles, 'items' | 'resume'>, isLater: boolean): FileWait {
  const [isWaiting, setIsWaiting] = useState(false);
  const isPending = arePending(items, isLater);
  const setWaiting = (isNowWaiting: boolean) => {
    // Another button moves under the finger.
    guardDoubleTap();
    setIsWaiting(isNowWaiting);
  };
  return {
    isWaiting,
    isPending,
    isDue: isWaiting && (!isPending || findFilesProblem(items) !== undefined),
    start: () => {
      for (const { key, state } of items) if (state === 'paused') resume(key);
      setWaiting(true);
    },
    stop: () => setWaiting(false),
  };
}
