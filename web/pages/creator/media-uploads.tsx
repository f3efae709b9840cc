import { getMedia } from '@stagedoor/contract/media.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { hangNew } from '../../features/library/use-library.ts';
import { DropAnywhere } from '../../features/publishing/drop-anywhere.tsx';
import { FileState } from '../../features/publishing/file-state.tsx';
import { type Files, useFiles } from '../../features/publishing/files.ts';
import { type Item, isUploading } from '../../features/publishing/items.ts';
import { LeaveGuard } from '../../features/publishing/leave-guard.tsx';
import { api } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button, IconButton } from '../../ui/button.tsx';

const LIBRARY = 'library';

function useSending(ownerId: string): Files {
  const client = useQueryClient();
  const files = useFiles({ ownerId, draftId: LIBRARY, most: Number.POSITIVE_INFINITY });
  const hangWhole = useEffectEvent((items: readonly Item[]) => {
    for (const { key, mediaId } of items) {
      if (mediaId === undefined) continue;
      files.letGo(key);
      api(getMedia, { params: { id: mediaId } }, { showErrorMessage: false }).then(
        (media) => hangNew(client, media),
        // If this request fails, the live event adds the upload.
        () => undefined,
      );
    }
  });
  useEffect(() => hangWhole(files.items), [files.items]);
  return files;
}

function Way({ item, sending }: { item: Item; sending: Files }) {
  return (
    <li className="flex items-start gap-2 border-t border-line py-3">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5 pt-2">
        <p className="wrap-anywhere text-small">{item.name}</p>
        <FileState item={item} files={sending} />
      </div>
      <IconButton quiet icon="close" label={`Remove ${item.name}`} onClick={() => sending.remove(item.key)} />
    </li>
  );
}

export function UploadsHead({ title, ownerId }: { title: string; ownerId: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const sending = useSending(ownerId);
  const isBusy = sending.items.some(isUploading);
  const add: Files['add'] = (files, handles) => {
    const refused = sending.add(files, handles);
    for (const words of refused) void showToast(words, 'error');
    return refused;
  };
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5">
        <h1 className="display d2">{title}</h1>
        <Button variant="primary" icon="upload" onClick={() => input.current?.click()}>
          Upload
        </Button>
        <input
          ref={input}
          id={id}
          type="file"
          multiple
          accept="image/*,video/*,audio/*,.heic,.heif,.mkv"
          className="sr-only"
          tabIndex={-1}
          aria-label="Files to upload"
          onChange={(event) => {
            add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {sending.items.length > 0 && (
        <ul aria-label="Uploading" className="mb-6 border-b border-line">
          {sending.items.map((item) => (
            <Way key={item.key} item={item} sending={sending} />
          ))}
        </ul>
      )}
      <DropAnywhere onFiles={add} />
      <LeaveGuard isPath stake={isBusy ? 'Uploads will pause and resume when you come back.' : undefined} />
    </>
  );
}
