import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { deleteShare, findSharedContent, type SharedContent } from '../workers/shared-store.ts';
import { formatBytes } from './bytes.ts';
import { copyText } from './clipboard.ts';
import { blockReloadWhile } from './reload-guard.ts';
import { useViewer } from './session.ts';
import * as texts from './texts.ts';

/** @param onText Adds the shared text. Without it the text can only be copied. */
export type SharedFilesProps = {
  onFiles: (files: readonly File[]) => void;
  onText?: ((added: string) => void) | undefined;
};

const PREVIEWABLE = /^image\/(?:jpeg|png|webp|gif|avif)$/;

type Piece = { key: string; file: File; src: string | undefined };
type SharedOfferContent = Pick<SharedContent, 'at' | 'skippedCount' | 'text'> & { pieces: readonly Piece[] };

function useOffer(): [SharedOfferContent | undefined, () => void] {
  const owner = useViewer()?.id;
  const [offered, setOffered] = useState<SharedOfferContent>();
  useEffect(() => {
    if (owner === undefined || !('caches' in window)) return;
    let isUnmounted = false;
    const objectUrls: string[] = [];
    const toPiece = (file: File, index: number): Piece => {
      const src = PREVIEWABLE.test(file.type) ? URL.createObjectURL(file) : undefined;
      if (src !== undefined) objectUrls.push(src);
      return { key: `${index} ${file.name}`, file, src };
    };
    // Reading `caches` throws if the user forbids storage.
    Promise.resolve()
      .then(() => findSharedContent(caches, owner, Date.now()))
      .then((content) => {
        if (content && !isUnmounted) {
          const { at, skippedCount, text, files } = content;
          setOffered({ at, skippedCount, text, pieces: files.map(toPiece) });
        }
      })
      .catch(() => undefined);
    return () => {
      isUnmounted = true;
      for (const src of objectUrls) URL.revokeObjectURL(src);
    };
  }, [owner]);
  const isOffered = offered !== undefined;
  useEffect(() => (isOffered ? blockReloadWhile(() => true) : undefined), [isOffered]);
  const dismiss = () => {
    if (offered) void deleteShare(caches, offered.at).catch(() => undefined);
    setOffered(undefined);
  };
  return [offered, dismiss];
}

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <ul className="grid max-h-60 gap-2 overflow-y-auto">
      {pieces.map(({ key, file, src }) => (
        <li key={key} className="flex items-center gap-3">
          <span className="grid h-14 w-14 flex-none place-items-center overflow-hidden bg-surface-2">
            {src ? <img src={src} alt="" className="h-full w-full object-cover" /> : <Icon name="document" />}
          </span>
          <span className="min-w-0 flex-1">
            <bdi className="one-line block">{file.name}</bdi>
            <span className="num block text-small text-muted">{formatBytes(file.size)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function formatSkipped(skippedCount: number, count: number): string {
  const more = count > 0 ? ' more' : '';
  return skippedCount === 1
    ? `1${more} file was too large, or over the limit.`
    : formatText(texts.filesSkipped, { skippedCount, more });
}

function formatAddLabel(count: number, hasText: boolean): string | undefined {
  const files = count === 1 ? texts.theSharedFile : formatText(texts.theSharedFiles, { count });
  if (count === 0) return hasText ? texts.addSharedText : undefined;
  return hasText ? formatText(texts.addFilesAndText, { files }) : formatText(texts.addFiles, { files });
}

export function SharedOffer({ onFiles, onText }: SharedFilesProps) {
  const [offered, dismiss] = useOffer();
  if (!offered) return null;
  const { pieces, skippedCount, text } = offered;
  const count = pieces.length;
  const addLabel = formatAddLabel(count, text !== '' && onText !== undefined);
  const add = () => {
    dismiss();
    if (count > 0) onFiles(pieces.map(({ file }) => file));
    if (text !== '') onText?.(text);
  };
  return (
    <section aria-label={texts.sharedWithStagedoor} className="mb-3 grid gap-3 border border-line bg-surface-1 p-4">
      <p className="font-semibold">{texts.sharedWithStagedoor}</p>
      {count > 0 && <Pieces pieces={pieces} />}
      {text !== '' && (
        <p
          dir="auto"
          className="max-h-32 overflow-y-auto border-l-2 border-line pl-3 text-small whitespace-pre-line wrap-anywhere"
        >
          {text}
        </p>
      )}
      {skippedCount > 0 && <p className="text-small text-muted">{formatSkipped(skippedCount, count)}</p>}
      <div className="flex flex-wrap gap-2">
        {addLabel !== undefined && (
          <Button variant="ink" onClick={add}>
            {addLabel}
          </Button>
        )}
        {text !== '' && !onText && (
          <Button icon="copy" onClick={() => void copyText(text, texts.copied)}>
            {texts.copyText}
          </Button>
        )}
        <Button variant="quiet" onClick={dismiss}>
          {addLabel === undefined ? texts.close : texts.discard}
        </Button>
      </div>
    </section>
  );
}
