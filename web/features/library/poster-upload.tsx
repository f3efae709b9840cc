import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import { type MediaDetail, setPoster } from '@stagedoor/contract/media.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { formatBytes } from '../../kernel/bytes.ts';
import { api } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { mediaQuery } from './queries.ts';
import { hangMedia } from './use-library.ts';

const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif,image/heic,image/heif,.heic,.heif';

function complaintOf({ name, size }: File): string | undefined {
  if (size === 0) return `${name} is empty.`;
  return size > PICTURE.maxBytes ? `${name} is larger than ${formatBytes(PICTURE.maxBytes)}.` : undefined;
}

export function PosterUpload({ id }: Pick<MediaDetail, 'id'>) {
  const client = useQueryClient();
  const inputId = useId();
  const [isBusy, setIsBusy] = useState(false);
  const send = async (file: File) => {
    const complaint = complaintOf(file);
    if (complaint) {
      void showToast(complaint, 'error');
      return;
    }
    const form = new FormData();
    form.set('file', file);
    setIsBusy(true);
    try {
      const media = await api(setPoster, { params: { id } }, { form });
      client.setQueryData(mediaQuery(id).queryKey, media);
      hangMedia(client, media);
      void showToast(media.kind === 'audio' ? 'Cover updated.' : 'Thumbnail updated.', 'success');
    } catch {
      // The call has already shown the error.
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      <label htmlFor={inputId} className="btn btn--line cursor-pointer" aria-busy={isBusy}>
        {isBusy ? 'Uploading…' : 'Upload image'}
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
