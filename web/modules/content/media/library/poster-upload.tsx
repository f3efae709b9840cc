import { type MediaDetail, uploadPoster } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { formatBytes } from '../../../../platform/bytes.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { api } from '../../../../platform/mutation.ts';
import * as texts from '../texts.ts';
import { mediaQuery } from './queries.ts';
import { updateCachedMedia } from './use-library.ts';

const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif';

function findFileError({ name, size }: File): string | undefined {
  if (size === 0) return formatText(texts.fileEmptyError, { name });
  return size > PICTURE_LIMITS.maxBytes
    ? formatText(texts.fileTooLargeError, { name, maxSize: formatBytes(PICTURE_LIMITS.maxBytes) })
    : undefined;
}

export function PosterUpload({ id }: Pick<MediaDetail, 'id'>) {
  const client = useQueryClient();
  const inputId = useId();
  const [isBusy, setIsBusy] = useState(false);
  const send = async (file: File) => {
    const error = findFileError(file);
    if (error) {
      void showToast(error, 'error');
      return;
    }
    const form = new FormData();
    form.set('file', file);
    setIsBusy(true);
    try {
      const media = await api(uploadPoster, { params: { id } }, { form });
      client.setQueryData(mediaQuery(id).queryKey, media);
      updateCachedMedia(client, media);
      void showToast(media.kind === 'audio' ? texts.coverUpdated : texts.thumbnailUpdated, 'success');
    } catch {
      // The call has already shown the error.
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <label htmlFor={inputId} className="btn btn--line cursor-pointer" aria-busy={isBusy}>
        {isBusy ? texts.uploading : texts.uploadImage}
      </label>
      <input
        id={inputId}
        type="file"
        accept={ACCEPTED}
        className="peer sr-only"
        disabled={isBusy}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) void send(file);
        }}
      />
    </>
  );
}
