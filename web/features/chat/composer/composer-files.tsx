import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Media } from '@stagedoor/contract/media.ts';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { busyWhile } from '../../../kernel/busy.ts';
import { formatBytes } from '../../../kernel/bytes.ts';
import { showToast } from '../../../kernel/outcome.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { keepPreviews } from '../outbox/previews.ts';
import type { OutFile } from '../outbox/queue.ts';
import { useParts } from '../parts.ts';
import { attach, attachUpload, DOCUMENT_ACCEPT, MEDIA_ACCEPT, refusalOf } from './attach.ts';

/** The menu returns the focus to its button first, so that the sheet can return it there. */
const MENU_CLOSING_MS = 30;

function FileTile({ file, onRemove }: { file: OutFile; onRemove: () => void }) {
  const [preview] = keepPreviews(file.key, [file]);
  const remove = <IconButton icon="close" size={16} label={`Remove ${file.name}`} onClick={onRemove} />;
  if (!preview)
    return (
      <li className="write__file write__file--doc">
        <span className="one-line font-semibold">{file.name}</span>
        <span className="num text-muted">{formatBytes(file.blob.size)}</span>
        {remove}
      </li>
    );
  return (
    <li className="write__file">
      {preview.kind === 'picture' ? (
        <img src={preview.url} alt={file.name} className="h-full w-full object-cover" />
      ) : (
        <video src={preview.url} muted playsInline preload="metadata" className="h-full w-full object-cover" />
      )}
      {remove}
    </li>
  );
}

export function FileTiles({ files, onRemove }: { files: readonly OutFile[]; onRemove: (key: string) => void }) {
  if (files.length === 0) return null;
  return (
    <ul className="write__files" aria-label="Files to send">
      {files.map((file) => (
        <FileTile key={file.key} file={file} onRemove={() => onRemove(file.key)} />
      ))}
    </ul>
  );
}

export function useFiles(isTextOnly: boolean) {
  const isFan = useParts().side === 'fan';
  const [files, setFiles] = useState<OutFile[]>([]);
  const isEmpty = files.length === 0;
  // The draft text survives a reload, the files do not.
  useEffect(() => (isEmpty ? undefined : busyWhile(() => true)), [isEmpty]);
  const add = async (chosen: Iterable<File>) => {
    const list = [...chosen];
    if (list.length > 0 && isTextOnly) return void showToast('Your first message can only contain text.', 'info');
    const tried = await Promise.all(
      list.map(async (file) => {
        const refusal = refusalOf(file, isFan);
        return refusal ? { refusal } : attach(file);
      }),
    );
    for (const one of tried) if ('refusal' in one) void showToast(one.refusal, 'error');
    const fit = tried.flatMap((one) => ('refusal' in one ? [] : [one]));
    const free = Math.max(0, CHAT_LIMITS.files - files.length);
    if (fit.length > free) void showToast(`You can attach up to ${CHAT_LIMITS.files} files.`, 'error');
    const added = fit.slice(0, free);
    setFiles((now) => [...now, ...added].slice(0, CHAT_LIMITS.files));
  };
  const addUploads = async (uploads: readonly Media[]) => {
    try {
      const added = await Promise.all(uploads.map(attachUpload));
      setFiles((now) => {
        const known = new Set(now.map(({ mediaId }) => mediaId));
        return [...now, ...added.filter(({ mediaId }) => !known.has(mediaId))].slice(0, CHAT_LIMITS.files);
      });
    } catch {
      void showToast('Couldn’t load your media library. Try again.', 'error');
    }
  };
  return {
    files,
    add,
    addUploads,
    remove: (key: string) => setFiles((now) => now.filter((file) => file.key !== key)),
    clear: () => setFiles([]),
  };
}

export function useDrop(add: (files: Iterable<File>) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent((files: FileList) => add([...files]));
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const out = (event: DragEvent) => event.relatedTarget === null && setIsOver(false);
    const dropped = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setIsOver(false);
      drop(event.dataTransfer.files);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', out);
    addEventListener('drop', dropped);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', out);
      removeEventListener('drop', dropped);
    };
  }, []);
  return isOver;
}

export type ChoosersProps = {
  add: (files: Iterable<File>) => void;
  addUploads: ((uploads: readonly Media[]) => void) | undefined;
  room: number;
};

export function Choosers({ add, addUploads, room }: ChoosersProps) {
  const { Library } = useParts();
  const media = useRef<HTMLInputElement>(null);
  const documents = useRef<HTMLInputElement>(null);
  const [isLibraryOpen, setIsLibraryOpen] = useState(false);
  const chooser = (ref: typeof media, accept: string, label: string) => (
    <input
      ref={ref}
      type="file"
      multiple
      accept={accept}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={(event) => {
        add([...(event.currentTarget.files ?? [])]);
        event.currentTarget.value = '';
      }}
    />
  );
  const library = {
    label: 'Media library',
    icon: 'images',
    onSelect: () => setTimeout(() => setIsLibraryOpen(true), MENU_CLOSING_MS),
  } as const;
  return (
    <>
      <Menu
        label="Attach"
        align="start"
        trigger={<IconButton icon="plus" label="Attach" />}
        items={[
          { label: 'Photos and videos', icon: 'image', onSelect: () => media.current?.click() },
          ...(addUploads ? [library] : []),
          { label: 'Documents', icon: 'document', onSelect: () => documents.current?.click() },
        ]}
      />
      {chooser(media, MEDIA_ACCEPT, 'Photos and videos')}
      {chooser(documents, DOCUMENT_ACCEPT, 'Documents')}
      {addUploads && isLibraryOpen && (
        <Suspense fallback={null}>
          <Library onOpenChange={setIsLibraryOpen} onAdd={addUploads} most={room} />
        </Suspense>
      )}
    </>
  );
}
