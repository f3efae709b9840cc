/** Shows what was shared, and adds it on a press. Until then it waits on the device, for every place where files can be added. */
import { useEffect, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { forgetShared, readShared, type Shared } from '../workers/shared-store.ts';
import { busyWhile } from './busy.ts';
import { formatBytes } from './bytes.ts';
import { useViewer } from './session.ts';

/** What every browser shows. */
const SHOWN = /^image\/(?:jpeg|png|webp|gif|avif)$/;

type Piece = { key: string; file: File; src: string | undefined };
type Offered = Pick<Shared, 'at' | 'left'> & { pieces: readonly Piece[] };

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
        if (found && !isGone) setOffered({ at: found.at, left: found.left, pieces: found.files.map(pieceOf) });
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

/** What was kept out, when something was. */
function leftWords(left: number, count: number): string {
  const more = count > 0 ? ' more' : '';
  return left === 1 ? `One${more} was too large.` : `${left}${more} were too large, or too many.`;
}

export function SharedOffer({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [offered, settle] = useOffer();
  if (!offered) return null;
  const { pieces, left } = offered;
  const count = pieces.length;
  const add = () => {
    settle();
    onFiles(pieces.map(({ file }) => file));
  };
  return (
    <section aria-label="Shared with Stagedoor" className="mb-3 grid gap-3 border border-line bg-surface-1 p-4">
      <p className="font-semibold">Shared with Stagedoor</p>
      {count > 0 && <Pieces pieces={pieces} />}
      {left > 0 && <p className="text-small text-muted">{leftWords(left, count)}</p>}
      <div className="flex flex-wrap gap-2">
        {count > 0 && (
          <Button variant="ink" onClick={add}>
            {count === 1 ? 'Add the shared file' : `Add the ${count} shared files`}
          </Button>
        )}
        <Button variant="quiet" onClick={settle}>
          {count === 0 ? 'Close' : count === 1 ? 'Not this' : 'Not these'}
        </Button>
      </div>
    </section>
  );
}
