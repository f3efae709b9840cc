import type { Media } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatBytes } from '../../../../platform/bytes.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { blockReloadWhile } from '../../../../platform/reload-guard.ts';
import { IconButton } from '../../../../ui/button.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { useChatContext } from '../chat-parts.ts';
import { createPreviews } from '../outbox/previews.ts';
import type { OutboxFile } from '../outbox/queue.ts';
import * as texts from '../texts.ts';
import { DOCUMENT_ACCEPT, findFileProblem, MEDIA_ACCEPT, prepareFile, prepareLibraryFile } from './prepare-files.ts';

/** The menu returns the focus to its button first, so that the sheet can return it there. */
const MENU_CLOSING_MS = 30;

function FileTile({ file, onRemove }: { file: OutboxFile; onRemove: () => void }) {
  const [preview] = createPreviews(file.key, [file]);
  const remove = (
    <IconButton
      icon="close"
      size={16}
      label={formatText(texts.removeFile, { fileName: file.name })}
      onClick={onRemove}
    />
  );
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

export function ComposerFileTiles({
  files,
  onRemove,
}: {
  files: readonly OutboxFile[];
  onRemove: (key: string) => void;
}) {
  if (files.length === 0) return null;
  return (
    <ul className="write__files" aria-label={texts.filesToSend}>
      {files.map((file) => (
        <FileTile key={file.key} file={file} onRemove={() => onRemove(file.key)} />
      ))}
    </ul>
  );
}

export function useComposerFiles(isTextOnly: boolean) {
  const isFan = useChatContext().side === 'fan';
  const [files, setFiles] = useState<OutboxFile[]>([]);
  const [preparation, setPreparation] = useState({ runCount: 0, refusalCount: 0 });
  const isEmpty = files.length === 0 && preparation.runCount === 0;
  // The draft text survives a reload, the files do not.
  useEffect(() => (isEmpty ? undefined : blockReloadWhile(() => true)), [isEmpty]);
  const changePreparation = (runs: number, refusals = 0) =>
    setPreparation(({ runCount, refusalCount }) => ({
      runCount: runCount + runs,
      refusalCount: refusalCount + refusals,
    }));
  const add = async (chosen: Iterable<File>) => {
    const list = [...chosen];
    if (list.length > 0 && isTextOnly) return void showToast(texts.firstMessageTextOnly, 'info');
    changePreparation(1);
    const results = await Promise.all(
      list.map(async (file) => {
        const refusal = findFileProblem(file, isFan);
        return refusal ? { refusal } : prepareFile(file);
      }),
    );
    for (const result of results) if ('refusal' in result) void showToast(result.refusal, 'error');
    const accepted = results.flatMap((result) => ('refusal' in result ? [] : [result]));
    const freeSlots = Math.max(0, CHAT_LIMITS.files - files.length);
    if (accepted.length > freeSlots)
      void showToast(formatText(texts.attachmentLimit, { fileCount: CHAT_LIMITS.files }), 'error');
    const added = accepted.slice(0, freeSlots);
    changePreparation(-1, list.length - added.length);
    setFiles((now) => [...now, ...added].slice(0, CHAT_LIMITS.files));
  };
  const addUploads = async (uploads: readonly Media[]) => {
    changePreparation(1);
    let refusals = 0;
    try {
      const added = await Promise.all(uploads.map(prepareLibraryFile));
      setFiles((now) => {
        const knownMediaIds = new Set(now.map(({ mediaId }) => mediaId));
        return [...now, ...added.filter(({ mediaId }) => !knownMediaIds.has(mediaId))].slice(0, CHAT_LIMITS.files);
      });
    } catch {
      refusals = uploads.length;
      void showToast(texts.mediaLibraryError, 'error');
    }
    changePreparation(-1, refusals);
  };
  return {
    files,
    isPreparing: preparation.runCount > 0,
    /** Increases with every chosen file that could not be added. */
    refusalCount: preparation.refusalCount,
    add,
    addUploads,
    remove: (key: string) => setFiles((now) => now.filter((file) => file.key !== key)),
    clear: () => setFiles([]),
  };
}

export function useFileDrop(add: (files: Iterable<File>) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const addDropped = useEffectEvent((files: FileList) => add([...files]));
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const handleDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const handleDragLeave = (event: DragEvent) => event.relatedTarget === null && setIsOver(false);
    const handleDrop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setIsOver(false);
      addDropped(event.dataTransfer.files);
    };
    addEventListener('dragover', handleDragOver);
    addEventListener('dragleave', handleDragLeave);
    addEventListener('drop', handleDrop);
    return () => {
      removeEventListener('dragover', handleDragOver);
      removeEventListener('dragleave', handleDragLeave);
      removeEventListener('drop', handleDrop);
    };
  }, []);
  return isOver;
}

export type AttachMenuProps = {
  add: (files: Iterable<File>) => void;
  addUploads: ((uploads: readonly Media[]) => void) | undefined;
  freeSlots: number;
};

export function AttachMenu({ add, addUploads, freeSlots }: AttachMenuProps) {
  const { Library } = useChatContext();
  const media = useRef<HTMLInputElement>(null);
  const documents = useRef<HTMLInputElement>(null);
  const [isLibraryOpen, setIsLibraryOpen] = useState(false);
  const renderInput = (ref: typeof media, accept: string, label: string) => (
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
    label: texts.mediaLibrary,
    icon: 'images',
    onSelect: () => setTimeout(() => setIsLibraryOpen(true), MENU_CLOSING_MS),
  } as const;
  return (
    <>
      <Menu
        label={texts.attach}
        align="start"
        trigger={<IconButton icon="plus" label={texts.attach} />}
        items={[
          { label: texts.photosAndVideos, icon: 'image', onSelect: () => media.current?.click() },
          ...(addUploads ? [library] : []),
          { label: texts.documents, icon: 'document', onSelect: () => documents.current?.click() },
        ]}
      />
      {renderInput(media, MEDIA_ACCEPT, texts.photosAndVideos)}
      {renderInput(documents, DOCUMENT_ACCEPT, texts.documents)}
      {addUploads && isLibraryOpen && (
        <Suspense fallback={null}>
          <Library onOpenChange={setIsLibraryOpen} onAdd={addUploads} max={freeSlots} />
        </Suspense>
      )}
    </>
  );
}
