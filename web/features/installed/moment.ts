/** Decides whether a page may be reloaded now without interrupting the user. */
import type { QueryClient } from '@tanstack/react-query';
import { isBusy } from '../../kernel/busy.ts';
import { isUnsaved } from '../../kernel/unsaved.ts';

const FIELDS =
  'textarea, input:not([type=checkbox], [type=radio], [type=hidden], [type=submit], [type=button], [type=range])';
const STILL_MS = 4_000;
const ACTS = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'wheel', 'popstate'] as const;

type Field = Pick<HTMLInputElement | HTMLTextAreaElement, 'isConnected' | 'value'>;

/**
 * Tracks edited fields that are in the document and not empty. `defaultValue` is no indicator, because React updates it
 * together with the value of a controlled field.
 */
export function createWritten() {
  const written = new Set<Field>();
  return {
    note: (field: Field) => void written.add(field),
    isWritten: () => {
      for (const field of written) if (!field.isConnected) written.delete(field);
      return [...written].some(({ value }) => value !== '');
    },
  };
}

export function createHand(now: () => number) {
  let actedAt = Number.NEGATIVE_INFINITY;
  return {
    act: () => {
      actedAt = now();
    },
    isStill: () => now() - actedAt > STILL_MS,
  };
}

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof Element && target.matches(FIELDS);
const isIn = (at: Element | null) => at instanceof HTMLElement && (at.isContentEditable || isField(at));
const isAsked = () => document.querySelector('[role=dialog][aria-modal], [data-state=open][role=dialog]') !== null;
const isPlaying = () =>
  [...document.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused, muted }) => !paused && !muted);

export type Moment = {
  /** A reload would interrupt nothing. */
  isGood: () => boolean;
  /** A reload would interrupt nothing, and the device is not in use. */
  isFree: () => boolean;
  stop: () => void;
};

export function watchMoment(client: QueryClient): Moment {
  const hand = createHand(() => performance.now());
  const { note, isWritten } = createWritten();
  const input = ({ target }: Event) => {
    if (isField(target)) note(target);
  };
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS))
    if (field === document.activeElement || field.value !== field.defaultValue) note(field);
  const controller = new AbortController();
  const options = { capture: true, passive: true, signal: controller.signal };
  for (const name of ACTS) addEventListener(name, hand.act, options);
  addEventListener('input', input, options);
  const isGood = () =>
    !isBusy() &&
    !isUnsaved() &&
    client.isMutating() === 0 &&
    !isAsked() &&
    !isPlaying() &&
    !isIn(document.activeElement) &&
    !isWritten();
  return {
    isGood,
    isFree: () => isGood() && (document.visibilityState === 'hidden' || hand.isStill()),
    stop: () => controller.abort(),
  };
}
