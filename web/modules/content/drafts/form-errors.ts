import { EMPTY_POST_DETAILS } from '@stagedoor/contract/content/post-details.ts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { findFilesProblem, hasProblem, type UploadItem } from './items.ts';

export type FormPosition = 'files' | `file:${string}` | 'caption' | 'price' | 'people' | 'when' | `detail:${string}`;
export type FormError = { position: FormPosition; message: string };

/** Next to the price, because it is a way to sell the post. */
export const AUDIENCE_POSITION = 'detail:subscribers';

export const toPositionProps = (position: FormPosition) => ({ 'data-place': position });

export function findFilesError(items: readonly UploadItem[]): FormError | undefined {
  const message = findFilesProblem(items);
  if (message === undefined) return undefined;
  const invalidItem = items.find(hasProblem);
  return { position: invalidItem ? `file:${invalidItem.key}` : 'files', message };
}

const POSITIONS: Readonly<Record<string, FormPosition>> = {
  media: 'files',
  caption: 'caption',
  price: 'price',
  people: 'people',
  scheduledAt: 'when',
};

/** Maps the server's field errors to positions. `media.2.alt` and similar fields belong to the third file. */
export function toFormErrors(fields: Readonly<Record<string, string>>, items: readonly UploadItem[]): FormError[] {
  return Object.entries(fields).flatMap(([field, message]) => {
    const [name = '', index = ''] = field.split('.');
    const item = name === 'media' && index !== '' ? items[Number(index)] : undefined;
    const ownPosition = Object.hasOwn(EMPTY_POST_DETAILS, name) ? (`detail:${name}` as const) : POSITIONS[name];
    const position = item ? (`file:${item.key}` as const) : ownPosition;
    return position ? [{ position, message }] : [];
  });
}

/** Whether the position is in the panel that is closed at first. */
export const isInMorePanel = (position: FormPosition) =>
  position !== AUDIENCE_POSITION && (position === 'when' || position === 'people' || position.startsWith('detail:'));

/** The error of a position. For the files, also the error of a single file. */
export function findMessageAt(
  errors: readonly (FormError | undefined)[],
  position: 'files' | Exclude<FormPosition, `file:${string}`>,
) {
  return errors.find(
    (error) => error && (error.position === position || (position === 'files' && error.position.startsWith('file:'))),
  )?.message;
}

const FOCUSABLE = 'input, textarea, select, button';

export function useErrorFocus(): {
  form: RefObject<HTMLFormElement | null>;
  focusPosition: (position: FormPosition) => void;
} {
  const form = useRef<HTMLFormElement>(null);
  const [requested, setRequested] = useState<{ position: FormPosition }>();
  useEffect(() => {
    if (!requested) return;
    const element = form.current?.querySelector(`[data-place="${CSS.escape(requested.position)}"]`);
    const field = element?.matches(FOCUSABLE) ? element : element?.querySelector(FOCUSABLE);
    if (!(field instanceof HTMLElement)) return;
    field.focus({ preventScroll: true });
    (element ?? field).scrollIntoView({ block: 'center' });
  }, [requested]);
  return { form, focusPosition: (position) => setRequested({ position }) };
}
