/** A few pictures attached to a support message, each checked by the server before the message is sent. */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CASE_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { addContactPicture, addTicketPicture } from '@stagedoor/contract/trust/support.ts';
import { type ChangeEvent, useId, useState } from 'react';
import { ApiError } from '../../../platform/api-error.ts';
import { api } from '../../../platform/mutation.ts';
import { IconButton } from '../../../ui/button.tsx';
import { FieldErrorMessage } from '../../../ui/field.tsx';
import * as texts from './texts.ts';

type AddedPicture = { id: string; name: string };

/**
 * @param route The upload route.
 * @param fields Form fields that precede the file.
 */
export function usePictures(
  route: typeof addTicketPicture | typeof addContactPicture,
  fields: Readonly<Record<string, string>> = {},
) {
  const [pictures, setPictures] = useState<readonly AddedPicture[]>([]);
  const [errorMessage, setErrorMessage] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const add = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(input.files ?? [])].slice(0, CASE_LIMITS.pictures - pictures.length);
    input.value = '';
    setErrorMessage(undefined);
    setAdding(true);
    try {
      for (const file of files) {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.set(name, value);
        form.set('file', file);
        const { id } = await api(route, {}, { form, showErrorMessage: false });
        setPictures((before) => [...before, { id, name: file.name }]);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setErrorMessage(error.message);
    } finally {
      setAdding(false);
    }
  };
  const remove = (id: string) => setPictures((before) => before.filter((picture) => picture.id !== id));
  const ids = pictures.map(({ id }) => id);
  return { pictures, ids, errorMessage, isAdding, add, remove, clear: () => setPictures([]) };
}

export function PictureField({
  upload: { pictures, errorMessage, isAdding, add, remove },
}: {
  upload: ReturnType<typeof usePictures>;
}) {
  const inputId = useId();
  return (
    <div className="grid gap-2">
      {pictures.length > 0 && (
        <ul className="lines" aria-label={texts.photos}>
          {pictures.map(({ id, name }) => (
            <li key={id} className="flex items-center justify-between gap-3">
              <bdi className="one-line text-small">{name}</bdi>
              <IconButton icon="close" label={formatText(texts.removePhoto, { name })} onClick={() => remove(id)} />
            </li>
          ))}
        </ul>
      )}
      {pictures.length < CASE_LIMITS.pictures && (
        <label className="btn btn--line w-fit has-focus-visible:outline-2" htmlFor={inputId}>
          {isAdding ? texts.adding : texts.addPhoto}
          <input
            id={inputId}
            className="sr-only"
            type="file"
            accept="image/*"
            multiple
            disabled={isAdding}
            onChange={(event) => void add(event)}
          />
        </label>
      )}
      <FieldErrorMessage message={errorMessage} />
    </div>
  );
}
