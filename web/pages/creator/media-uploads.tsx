import { getMedia } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef } from 'react';
import { DropAnywhere } from '../../modules/content/drafts/drop-anywhere.tsx';
import { FileState } from '../../modules/content/drafts/file-state.tsx';
import { isUploading, type UploadItem } from '../../modules/content/drafts/items.ts';
import { LeaveGuard } from '../../modules/content/drafts/leave-guard.tsx';
import { type PostFiles, usePostFiles } from '../../modules/content/drafts/use-files.ts';
import { addCachedMedia } from '../../modules/content/media/library/use-library.ts';
import { showToast } from '../../platform/feedback.ts';
import { api } from '../../platform/mutation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import * as texts from './texts.ts';

const LIBRARY = 'library';

function useUploads(ownerId: string): PostFiles {
  const client = useQueryClient();
  const files = usePostFiles({ ownerId, draftId: LIBRARY, max: Number.POSITIVE_INFINITY });
  const addUploaded = useEffectEvent((items: readonly UploadItem[]) => {
    for (const { key, mediaId } of items) {
      if (mediaId === undefined) continue;
      files.detach(key);
      api(getMedia, { params: { id: mediaId } }, { showErrorMessage: false }).then(
        (media) => addCachedMedia(client, media),
        // If this request fails, the live event adds the upload.
        () => undefined,
      );
    }
  });
  useEffect(() => addUploaded(files.items), [files.items]);
  return files;
}

function UploadRow({ item, uploads }: { item: UploadItem; uploads: PostFiles }) {
  return (
    <li className="flex items-start gap-2 border-t border-line py-3">
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-1.5 pt-2">
        <p className="wrap-anywhere text-small">{item.name}</p>
        <FileState item={item} files={uploads} />
      </div>
      <IconButton
        quiet
        icon="close"
        label={formatText(texts.removeUpload, { name: item.name })}
        onClick={() => uploads.remove(item.key)}
      />
    </li>
  );
}

export function UploadHeader({ title, ownerId }: { title: string; ownerId: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const uploads = useUploads(ownerId);
  const isBusy = uploads.items.some(isUploading);
  const add: PostFiles['add'] = (files, handles) => {
    const messages = uploads.add(files, handles);
    for (const message of messages) void showToast(message, 'error');
    return messages;
  };
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-5">
        <h1 className="display d2">{title}</h1>
        <Button variant="primary" icon="upload" onClick={() => input.current?.click()}>
          {texts.upload}
        </Button>
        <input
          ref={input}
          id={id}
          type="file"
          multiple
          accept="image/*,video/*,audio/*,.heic,.heif,.mkv"
          className="sr-only"
          tabIndex={-1}
          aria-label={texts.filesToUpload}
          onChange={(event) => {
            add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {uploads.items.length > 0 && (
        <ul aria-label={texts.uploading} className="mb-6 border-b border-line">
          {uploads.items.map((item) => (
            <UploadRow key={item.key} item={item} uploads={uploads} />
          ))}
        </ul>
      )}
      <DropAnywhere onFiles={add} />
      <LeaveGuard isPathOnly unsavedMessage={isBusy ? texts.uploadsPauseHint : undefined} />
    </>
  );
}
