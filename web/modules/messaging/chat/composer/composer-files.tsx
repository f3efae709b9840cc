import type { Media } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatBytes } from '../../../../platform/bytes.ts';
import { formatDuration } from '../../../../platform/dates.ts';
import { showToast } from '../../../../platform/feedback.ts';
import { runWhenIdle } from '../../../../platform/idle.ts';
import { IconButton } from '../../../../ui/button.tsx';
import { Menu, preloadMenu } from '../../../../ui/menu.tsx';
import { useChatContext } from '../chat-parts.ts';
import { createPreviews } from '../outbox/previews.ts';
import type { OutboxFile } from '../outbox/queue.ts';
import * as texts from '../texts.ts';
import { addFiles, type ComposerFile, type FileRequest, removeFile, useAttachments } from './attachments.ts';
import {
  DOCUMENT_ACCEPT,
  dropDirectionMarks,
  findFileKind,
  findFileProblem,
  MEDIA_ACCEPT,
  prepareFile,
  prepareLibraryFile,
} from './prepare-files.ts';
import type { VoiceRecording } from './use-recorder.ts';

/** The menu returns the focus to its button first, so that the sheet can return it there. */
const MENU_CLOSING_MS = 30;

function PreparedPreview({ file }: { file: OutboxFile }) {
  const [preview] = createPreviews(file.key, [file]);
  if (!preview) return null;
  return preview.kind === 'picture' ? (
    <img src={preview.url} alt={file.name} className="h-full w-full object-cover" />
  ) : (
    <video src={preview.url} muted playsInline preload="metadata" className="h-full w-full object-cover" />
  );
}

function FileTile({ file, onRemove }: { file: ComposerFile; onRemove: () => void }) {
  const { name, kind, prepared } = file;
  const isDocument = kind === 'document';
  return (
    <li
      className={isDocument ? 'write__file write__file--doc' : 'write__file'}
      aria-busy={prepared ? undefined : true}
      aria-label={prepared ? undefined : formatText(texts.preparingFile, { fileName: name })}
    >
      {isDocument && (
        <bdi className="one-line font-semibold" dir="auto">
          {name}
        </bdi>
      )}
      {!prepared && <span className="spinner" />}
      {prepared &&
        (isDocument ? (
          <span className="num text-muted">{formatBytes(prepared.blob.size)}</span>
        ) : (
          <PreparedPreview file={prepared} />
        ))}
      <IconButton icon="close" size={16} label={formatText(texts.removeFile, { fileName: name })} onClick={onRemove} />
    </li>
  );
}

export function ComposerFileTiles({
  files,
  voice,
  onRemove,
  onRemoveVoice,
}: {
  files: readonly ComposerFile[];
  voice: VoiceRecording | undefined;
  onRemove: (key: string) => void;
  onRemoveVoice: () => void;
}) {
  if (files.length === 0 && !voice) return null;
  return (
    <ul className="write__files" aria-label={texts.filesToSend}>
      {voice && (
        <li className="write__file write__file--doc">
          <span className="font-semibold">{texts.voiceMessage}</span>
          <span className="num text-muted">{formatDuration(voice.durationSeconds)}</span>
          <IconButton icon="close" size={16} label={texts.discardRecording} onClick={onRemoveVoice} />
        </li>
      )}
      {files.map((file) => (
        <FileTile key={file.key} file={file} onRemove={() => onRemove(file.key)} />
      ))}
    </ul>
  );
}

export function useComposerFiles(key: string, isTextOnly: boolean) {
  const isFan = useChatContext().side === 'fan';
  return {
    ...useAttachments(key),
    add: (chosen: Iterable<File>) => {
      const list = [...chosen];
      if (list.length > 0 && isTextOnly) return void showToast(texts.firstMessageTextOnly, 'info');
      const problems = list.map((file) => findFileProblem(file, isFan));
      const requests = list.flatMap((file, index): FileRequest[] =>
        problems[index] === undefined
          ? [
              {
                name: dropDirectionMarks(file.name),
                kind: findFileKind(file) ?? 'document',
                prepare: () => prepareFile(file),
              },
            ]
          : [],
      );
      void addFiles(
        key,
        requests,
        problems.flatMap((problem) => problem ?? []),
      );
    },
    addUploads: (uploads: readonly Media[]) =>
      void addFiles(
        key,
        uploads.map((media) => ({
          name: media.title || media.fileName,
          kind: 'picture',
          mediaId: media.id,
          prepare: () => prepareLibraryFile(media),
        })),
      ),
    remove: (fileKey: string) => removeFile(key, fileKey),
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
  // The menu also opens offline.
  useEffect(() => runWhenIdle(preloadMenu), []);
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
