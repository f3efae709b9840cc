/** Whether a page may be loaded anew just now: nobody types, pays, uploads, watches, is in a call, or has a question open. */
import type { QueryClient } from '@tanstack/react-query';
import { isBusy } from '../../kernel/busy.ts';
import { isUnsaved } from '../../kernel/unsaved.ts';

const FIELDS = 'textarea, input:not([type=checkbox], [type=radio], [type=hidden], [type=submit], [type=button])';

function isWriting(): boolean {
  const at = document.activeElement;
  if (at instanceof HTMLElement && (at.isContentEditable || at.matches(FIELDS))) return true;
  return [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS)].some(
    (field) => field.value !== field.defaultValue,
  );
}

const isAsked = () => document.querySelector('[role=dialog][aria-modal], [data-state=open][role=dialog]') !== null;
const isPlaying = () =>
  [...document.querySelectorAll<HTMLMediaElement>('video, audio')].some(({ paused, muted }) => !paused && !muted);

export function isGoodMoment(client: QueryClient): boolean {
  return !isBusy() && !isUnsaved() && client.isMutating() === 0 && !isAsked() && !isPlaying() && !isWriting();
}
