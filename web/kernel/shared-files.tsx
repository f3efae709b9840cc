/** Offers files and text that the device's share sheet sent to the app, on the page that the share opened. */
import { Suspense, useSyncExternalStore } from 'react';
import { SHARED_PARAM } from '../workers/shared.ts';
import { lazyPart } from './lazy-part.ts';

const Offer = lazyPart(async () => (await import('./shared-offer.tsx')).SharedOffer);

let isOpenedByShare = false;

/**
 * Whether a share opened this page, also after client navigation. A link pressed before hydration loads a new document,
 * so the referrer counts too.
 */
export function noteShare(): boolean {
  isOpenedByShare ||= [location.href, document.referrer].some((address) => {
    const { origin, searchParams } = new URL(address || location.origin);
    return origin === location.origin && searchParams.has(SHARED_PARAM);
  });
  return isOpenedByShare;
}

const never = () => () => undefined;

export const withWords = (text: string, words: string) => (text.trim() === '' ? words : `${text}\n${words}`);

/** @param onWords Adds the shared text. Without it the text can only be copied. */
export type SharedProps = {
  onFiles: (files: readonly File[]) => void;
  onWords?: ((words: string) => void) | undefined;
};

/** Any site can share content, so nothing is added before the user has seen it and pressed a button. */
export function SharedFiles({ onFiles, onWords }: SharedProps) {
  const isOpened = useSyncExternalStore(never, noteShare, () => false);
  if (!isOpened) return null;
  return (
    <Suspense>
      <Offer onFiles={onFiles} onWords={onWords} />
    </Suspense>
  );
}
