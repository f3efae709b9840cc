import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { SharedFiles } from '../../../platform/shared-files.tsx';
import type { SharedFilesProps } from '../../../platform/shared-offer.tsx';
import { getHandles } from './file-handles.ts';
import * as texts from './texts.ts';

type AddFiles = (files: readonly File[], handles?: readonly (FileSystemFileHandle | undefined)[]) => void;

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/**
 * Some programs put a picture of the text on the clipboard. When such content is pasted into a field, the text is
 * meant.
 */
function isTextPaste(event: ClipboardEvent): boolean {
  const { target } = event;
  const isField = target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]');
  return isField && (event.clipboardData?.types.includes('text/plain') ?? false);
}

export function DropAnywhere({ onFiles, onText }: Pick<SharedFilesProps, 'onText'> & { onFiles: AddFiles }) {
  const [isDragOver, setIsDragOver] = useState(false);
  const add = useEffectEvent(onFiles);
  useEffect(() => {
    // Entering a child element fires a leave event of its parent, so the depth is counted.
    let depth = 0;
    const setDepth = (to: number) => {
      depth = Math.max(0, to);
      setIsDragOver(depth > 0);
    };
    const enter = (event: DragEvent) => hasFiles(event) && setDepth(depth + 1);
    const leave = (event: DragEvent) => hasFiles(event) && setDepth(depth - 1);
    const handleDragOver = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const handleDrop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setDepth(0);
      const files = [...event.dataTransfer.files];
      void getHandles(event.dataTransfer.items).then((handles) => add(files, handles));
    };
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isTextPaste(event)) return;
      event.preventDefault();
      add(files);
    };
    const controller = new AbortController();
    const options = { signal: controller.signal };
    window.addEventListener('dragenter', enter, options);
    window.addEventListener('dragleave', leave, options);
    window.addEventListener('dragover', handleDragOver, options);
    window.addEventListener('drop', handleDrop, options);
    window.addEventListener('paste', paste, options);
    return () => controller.abort();
  }, []);
  return (
    <>
      <SharedFiles onFiles={onFiles} onText={onText} />
      {isDragOver &&
        createPortal(
          <div className="pointer-events-none fixed inset-3 z-50 grid place-items-center border-2 border-dashed border-ink bg-surface-0/90">
            <p className="display d3">{texts.dropToAdd}</p>
          </div>,
          document.body,
        )}
    </>
  );
}
