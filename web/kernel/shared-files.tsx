/** What a phone shared into Stagedoor (web/workers/app-worker.ts keeps it): offered where files are added, by the page that the share opened. */
import { Suspense, useSyncExternalStore } from 'react';
import { SHARED_PARAM } from '../workers/shared.ts';
import { lazyPart } from './lazy-part.ts';

const Offer = lazyPart(async () => (await import('./shared-offer.tsx')).SharedOffer);

let isOpenedByShare = false;

/** Whether a share opened this page, wherever in the app it has led since. A link pressed before the script was there led to a new page. */
export function noteShare(): boolean {
  isOpenedByShare ||= [location.href, document.referrer].some((address) => {
    const { origin, searchParams } = new URL(address || location.origin);
    return origin === location.origin && searchParams.has(SHARED_PARAM);
  });
  return isOpenedByShare;
}

const never = () => () => undefined;

/** Words after those that are there. */
export const withWords = (text: string, words: string) => (text.trim() === '' ? words : `${text}\n${words}`);

/** `onWords`: where words can be added; elsewhere they can be copied. */
export type SharedProps = {
  onFiles: (files: readonly File[]) => void;
  onWords?: ((words: string) => void) | undefined;
};

/** Any site can share: nothing is added before it was shown and somebody pressed. */
export function SharedFiles({ onFiles, onWords }: SharedProps) {
  const isOpened = useSyncExternalStore(never, noteShare, () => false);
  if (!isOpened) return null;
  return (
    <Suspense>
      <Offer onFiles={onFiles} onWords={onWords} />
    </Suspense>
  );
}
