/** Offers files and text that the device's share sheet sent to the app, on the page that the share opened. */
import { Suspense, useSyncExternalStore } from 'react';
import { subscribeToNothing } from '../ui/subscribe-to-nothing.ts';
import { SHARED_PARAM } from '../workers/shared.ts';
import { lazyPart } from './lazy-part.ts';
import type { SharedFilesProps } from './shared-offer.tsx';

const Offer = lazyPart(async () => (await import('./shared-offer.tsx')).SharedOffer);

let isOpenedByShare = false;

/**
 * Whether a share opened this page, also after client navigation. A link pressed before hydration loads a new document,
 * so the referrer counts too.
 */
export function checkOpenedByShare(): boolean {
  isOpenedByShare ||= [location.href, document.referrer].some((address) => {
    const { origin, searchParams } = new URL(address || location.origin);
    return origin === location.origin && searchParams.has(SHARED_PARAM);
  });
  return isOpenedByShare;
}

export const appendText = (text: string, added: string) => (text.trim() === '' ? added : `${text}\n${added}`);

/** Any site can share content, so nothing is added before the user has seen it and pressed a button. */
export function SharedFiles({ onFiles, onText }: SharedFilesProps) {
  const isOpened = useSyncExternalStore(subscribeToNothing, checkOpenedByShare, () => false);
  if (!isOpened) return null;
  return (
    <Suspense>
      <Offer onFiles={onFiles} onText={onText} />
    </Suspense>
  );
}
