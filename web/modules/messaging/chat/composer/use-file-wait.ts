import { useState } from 'react';
import { useWhenDue } from '../../../../platform/use-when-due.ts';
import type { useComposerFiles } from './composer-files.tsx';

/** The wait of a message for files that are being prepared. */
export function useFileWait({
  isPreparing,
  refusalCount,
}: Pick<ReturnType<typeof useComposerFiles>, 'isPreparing' | 'refusalCount'>) {
  const [refusalCountBefore, setRefusalCountBefore] = useState<number>();
  return {
    isWaiting: refusalCountBefore !== undefined,
    isDue: refusalCountBefore !== undefined && !isPreparing,
    hasRefusal: refusalCount !== refusalCountBefore,
    start: () => setRefusalCountBefore(refusalCount),
    stop: () => setRefusalCountBefore(undefined),
  };
}

/** Sends once the files are ready, unless one was refused, because the message would not be what the user wanted to send. */
export function useWhenReady(wait: ReturnType<typeof useFileWait>, send: () => void): void {
  useWhenDue(wait.isDue, () => {
    wait.stop();
    if (!wait.hasRefusal) send();
  });
}
