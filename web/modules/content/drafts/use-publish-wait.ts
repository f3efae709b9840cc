import type { Draft } from '@stagedoor/contract/content/drafts.ts';
import { useState } from 'react';
import { useWhenDue } from '../../../platform/use-when-due.ts';

export type PublishWait = {
  isWaiting: boolean;
  /** Publishes the draft, once its files are ready. */
  submit: () => void;
  stop: () => void;
};

/**
 * The wait of a saved draft for files that are being processed. A file that failed ends it, and the server returns the
 * reason.
 */
export function usePublishWait({ media }: Pick<Draft, 'media'>, publish: () => void): PublishWait {
  const [isWaiting, setIsWaiting] = useState(false);
  const statuses = media.map((item) => item.media.status);
  const isPending = statuses.includes('processing') && !statuses.includes('failed');
  useWhenDue(isWaiting && !isPending, () => {
    setIsWaiting(false);
    publish();
  });
  return {
    isWaiting,
    submit: () => (isPending ? setIsWaiting(true) : publish()),
    stop: () => setIsWaiting(false),
  };
}
