/** Decides whether a page may be reloaded now without interrupting the user. */
import type { QueryClient } from '@tanstack/react-query';
import { isReloadBlocked } from '../reload-guard.ts';
import { hasUnsavedChanges } from '../unsaved.ts';

const FIELDS =
  'textarea, input:not([type=checkbox], [type=radio], [type=hidden], [type=submit], [type=button], [type=range])';
const IDLE_AFTER_MS = 4_000;
const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'wheel', 'popstate'] as const;

type EditableField = Pick<HTMLInputElement | HTMLTextAreaElement, 'isConnected' | 'value'>;

/**
 * Tracks edited fields that are in the document and not empty. `defaultValue` is no indicator, because React updates it
 * together with the value of a controlled field.
 */
export function createEditTracker() {
  const edited = new Set<EditableField>();
  return {
    addField: (field: EditableField) => void edited.add(field),
    hasEdits: () => {
      for (const field of edited) if (!field.isConnected) edited.delete(field);
      return [...edited].some(({ value }) => value !== '');
    },
  };
}

export function createActivityTracker(now: () => number) {
  let activeAt = Number.NEGATIVE_INFINITY;
  return {
    recordActivity: () => {
      activeAt = now();
    },
    isIdle: () => now() - activeAt > IDLE_AFTER_MS,
  };
}

const isField = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof Element && target.matches(FIELDS);
const isEditing = (at: Element | null) => at instanceof HTMLElement && (at.isContentEditable || isField(at));
const hasOpenDialog = () =>
  document.querySelector('[role=dialog][aria-modal], [data-state=open][role=dialog]') !== null;
const isPlaying = () =>
  [...document.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused, muted }) => !paused && !muted);

export type PageActivity = {
  /** A reload would interrupt nothing. */
  isInterruptible: () => boolean;
  /** A reload would interrupt nothing, and the device is not in use. */
  isIdle: () => boolean;
  stop: () => void;
};

export function watchPageActivity(client: QueryClient): PageActivity {
  const tracker = createActivityTracker(() => performance.now());
  const { addField, hasEdits } = createEditTracker();
  const noteInput = ({ target }: Event) => {
    if (isField(target)) addField(target);
  };
  for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS))
    if (field === document.activeElement || field.value !== field.defaultValue) addField(field);
  const controller = new AbortController();
  const options = { capture: true, passive: true, signal: controller.signal };
  for (const name of ACTIVITY_EVENTS) addEventListener(name, tracker.recordActivity, options);
  addEventListener('input', noteInput, options);
  const isInterruptible = () =>
    !isReloadBlocked() &&
    !hasUnsavedChanges() &&
    client.isMutating() === 0 &&
    !hasOpenDialog() &&
    !isPlaying() &&
    !isEditing(document.activeElement) &&
    !hasEdits();
  return {
    isInterruptible,
    isIdle: () => isInterruptible() && (document.visibilityState === 'hidden' || tracker.isIdle()),
    stop: () => controller.abort(),
  };
}
