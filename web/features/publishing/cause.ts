import { type RefObject, useEffect, useRef, useState } from 'react';
import { filesComplaint, type Item, isTrouble, unfinishedComplaint } from './items.ts';

export type Place = 'files' | `file:${string}` | 'caption' | 'price' | 'tags' | 'people' | 'when';
export type Cause = { place: Place; words: string };

export const placed = (place: Place) => ({ 'data-place': place });

export function filesCause(items: readonly Item[], isLater: boolean): Cause | undefined {
  const words = isLater ? unfinishedComplaint(items) : filesComplaint(items);
  if (words === undefined) return undefined;
  const culprit = items.find(isTrouble);
  return { place: culprit ? `file:${culprit.key}` : 'files', words };
}

const PLACES: Readonly<Record<string, Place>> = {
  media: 'files',
  caption: 'caption',
  price: 'price',
  tags: 'tags',
  people: 'people',
  scheduledAt: 'when',
};

/** Maps the server's field errors to positions. `media.2.alt` and similar fields belong to the third file. */
export function causesOf(fields: Readonly<Record<string, string>>, items: readonly Item[]): Cause[] {
  return Object.entries(fields).flatMap(([field, words]) => {
    const [name = '', index = ''] = field.split('.');
    const item = name === 'media' && index !== '' ? items[Number(index)] : undefined;
    const place = item ? (`file:${item.key}` as const) : PLACES[name];
    return place ? [{ place, words }] : [];
  });
}

/** The error of a position. For the files, also the error of a single file. */
export function wordsAt(causes: readonly (Cause | undefined)[], at: 'files' | Exclude<Place, `file:${string}`>) {
  return causes.find((cause) => cause && (cause.place === at || (at === 'files' && cause.place.startsWith('file:'))))
    ?.words;
}

const FOCUSABLE = 'input, textarea, select, button';

export function usePlaces(): { form: RefObject<HTMLFormElement | null>; show: (place: Place) => void } {
  const form = useRef<HTMLFormElement>(null);
  const [asked, setAsked] = useState<{ place: Place }>();
  useEffect(() => {
    if (!asked) return;
    const at = form.current?.querySelector(`[data-place="${CSS.escape(asked.place)}"]`);
    const field = at?.matches(FOCUSABLE) ? at : at?.querySelector(FOCUSABLE);
    if (!(field instanceof HTMLElement)) return;
    field.focus({ preventScroll: true });
    (at ?? field).scrollIntoView({ block: 'center' });
  }, [asked]);
  return { form, show: (place) => setAsked({ place }) };
}
