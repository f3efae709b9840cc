import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { forgetShared, readShared, type Shared } from '../workers/shared-store.ts';
import { busyWhile } from './busy.ts';
import { formatBytes } from './bytes.ts';
import { copyText } from './clipboard.ts';
import { useViewer } from './session.ts';
import type { SharedProps } from './shared-files.tsx';

const SHOWN = /^image\/(?:jpeg|png|webp|gif|avif)$/;

type Piece = { key: string; file: File; src: string | undefined };
type Offered = Pick<Shared, 'at' | 'left' | 'words'> & { pieces: readonly Piece[] };

function useOffer(): [Offered | undefined, () => void] {
  const owner = useViewer()?.id;
  const [offered, setOffered] = useState<Offered>();
  useEffect(() => {
    if (owner === undefined || !('caches' in window)) return;
    let isGone = false;
    const made: string[] = [];
    const pieceOf = (file: File, index: number): Piece => {
      const src = SHOWN.test(file.type) ? URL.createObjectURL(file) : undefined;
      if (src !== undefined) made.push(src);
      return { key: `${index} ${file.name}`, file, src };
    };
    readShared(caches, owner, Date.now())
      .then((found) => {
        if (found && !isGone) {
          const { at, left, words, files } = found;
          setOffered({ at, left, words, pieces: files.map(pieceOf) });
        }
      })
      .catch(() => undefined);
    return () => {
      isGone = true;
      for (const src of made) URL.revokeObjectURL(src);
    };
  }, [owner]);
  const isOffered = offered !== undefined;
  useEffect(() => (isOffered ? busyWhile(() => true) : undefined), [isOffered]);
  const settle = () => {
    if (offered) void forgetShared(caches, offered.at).catch(() => undefined);
    setOffered(undefined);
  };
  return [offered, settle];
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

function leftWords(left: number, count: number): string {
  const more = count > 0 ? ' more' : '';
  return left === 1
    ? `1${more} file was too large, or over the limit.`
    : `${left}${more} files were too large, or over the limit.`;
}

function addWords(count: number, hasWords: boolean): string | undefined {
  const files = count === 1 ? 'the shared file' : `the ${count} shared files`;
  if (count === 0) return hasWords ? 'Add shared text' : undefined;
  return hasWords ? `Add ${files} and text` : `Add ${files}`;
}

export function SharedOffer({ onFiles, onWords }: SharedProps) {
  const [offered, settle] = useOffer();
  if (!offered) return null;
  const { pieces, left, words } = offered;
  const count = pieces.length;
  const adding = addWords(count, words !== '' && onWords !== undefined);
  const add = () => {
    settle();
    if (count > 0) onFiles(pieces.map(({ file }) => file));
    if (words !== '') onWords?.(words);
  };
  return (
    <section aria-label="Shared with Stagedoor" className="mb-3 grid gap-3 border border-line bg-surface-1 p-4">
      <p className="font-semibold">Shared with Stagedoor</p>
      {count > 0 && <Pieces pieces={pieces} />}
      {words !== '' && (
        <p
          dir="auto"
          className="max-h-32 overflow-y-auto border-l-2 border-line pl-3 text-small whitespace-pre-line wrap-anywhere"
        >
          {words}
        </p>
      )}
      {left > 0 && <p className="text-small text-muted">{leftWords(left, count)}</p>}
      <div className="flex flex-wrap gap-2">
        {adding !== undefined && (
          <Button variant="ink" onClick={add}>
            {adding}
          </Button>
        )}
        {words !== '' && !onWords && (
          <Button icon="copy" onClick={() => void copyText(words, 'Copied')}>
            Copy text
          </Button>
        )}
        <Button variant="quiet" onClick={settle}>
          {adding === undefined ? 'Close' : 'Discard'}
        </Button>
      </div>
    </section>
  );
}
