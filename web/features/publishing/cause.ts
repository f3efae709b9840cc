/** Why a post cannot be published as it stands, and where: a complaint stands at its cause, and the focus goes there. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { filesComplaint, type Item, isTrouble, unfinishedComplaint } from './items.ts';

/** Where in the composer: the files together, one of them, or a field. */
export type Place = 'files' | `file:${string}` | 'caption' | 'price' | 'tags' | 'people' | 'when';
export type Cause = { place: Place; words: string };

/** Marks what is looked for by {@link usePlaces}. */
export const placed = (place: Place) => ({ 'data-place': place });

/** What is wrong with the files, at the one that is to blame. */
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

/** The server's complaints at their places; of `media.2.alt` and the like it is the third file's. */
export function causesOf(fields: Readonly<Record<string, string>>, items: readonly Item[]): Cause[] {
  return Object.entries(fields).flatMap(([field, words]) => {
    const [name = '', index = ''] = field.split('.');
    const item = name === 'media' && index !== '' ? items[Number(index)] : undefined;
    const place = item ? (`file:${item.key}` as const) : PLACES[name];
    return place ? [{ place, words }] : [];
  });
}

/** What is wrong at a place, or among the files at any of them. */
export function wordsAt(causes: readonly (Cause | undefined)[], at: 'files' | Exclude<Place, `file:${string}`>) {
  return causes.find((cause) => cause && (cause.place === at || (at === 'files' && cause.place.startsWith('file:'))))
    ?.words;
}

const FOCUSABLE = 'input, textarea, select, button';

/** Takes the focus to a place as soon as it is on the page. */
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
