import { POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { type ReactNode, useId, useState } from 'react';
import { formatDuration } from '../../kernel/dates.ts';
import { useStopped } from '../../kernel/house.ts';
import { showToast } from '../../kernel/outcome.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { FieldError } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture, Seal } from '../../ui/picture.tsx';
import { Banner } from '../../ui/states.tsx';
import { placed } from './cause.ts';
import { DropAnywhere } from './drop-anywhere.tsx';
import { FileSheet } from './file-sheet.tsx';
import { FileState, fileWords } from './file-state.tsx';
import type { Files } from './files.ts';
import { type Item, isTrouble } from './items.ts';
import { type Reorder, useReorder } from './reorder.ts';

const ACCEPTED = 'image/*,video/*,audio/*,.heic,.heif,.mkv,.flac,.opus';
const GLYPHS = { picture: 'image', video: 'video', audio: 'sound' } as const;
const KINDS = { picture: 'photo', video: 'video', audio: 'audio' } as const;
const TILE = 'size-24 flex-none';
/** Smaller files finish before their status could be read. */
const SLOW_BYTES = 8_000_000;

function hasRow(item: Item): boolean {
  if (isTrouble(item) || item.state === 'paused' || item.state === 'offline') return true;
  return item.state !== 'ready' && (item.kind !== 'picture' || item.byteSize > SLOW_BYTES);
}

type TileProps = {
  item: Item;
  index: number;
  isLifted: boolean;
  onOpen: () => void;
  handle: ReturnType<Reorder['handle']>;
};

function Tile({ item, index, isLifted, onOpen, handle }: TileProps) {
  const { kind, src, state, sent, byteSize, progress, durationSeconds } = item;
  const isSending = state === 'waiting' || state === 'uploading';
  return (
    <li className={cx('relative', TILE, isLifted && 'opacity-60')}>
      <button
        type="button"
        className={cx('block w-full touch-pan-x', isTrouble(item) && 'outline-2 outline-offset-[-2px] outline-danger')}
        onClick={onOpen}
        {...handle}
      >
        <span aria-hidden="true">
          <Picture src={src} alt="" ratio="1" empty={<Icon name={GLYPHS[kind]} size={28} />}>
            {durationSeconds !== null && <Seal>{formatDuration(durationSeconds)}</Seal>}
          </Picture>
        </span>
        <span className="sr-only">{fileWords(item, index)}</span>
      </button>
      {(isSending || state === 'processing') && !hasRow(item) && (
        <progress
          className="progress__bar absolute inset-x-1 bottom-1"
          aria-label={`${isSending ? 'Uploading' : 'Processing'} ${item.name}`}
          max={isSending ? byteSize : 1}
          value={isSending ? sent : progress > 0 ? progress : undefined}
        />
      )}
    </li>
  );
}

type StateRowProps = { item: Item; index: number; files: Files; onTakeOut: (item: Item) => void };

function StateRow({ item, index, files, onTakeOut }: StateRowProps) {
  return (
    <li className="grid gap-1 border-t border-line py-2" {...placed(`file:${item.key}`)}>
      <div className="flex min-h-11 items-center gap-1">
        <span className="one-line flex-1 font-semibold">{item.name}</span>
        <IconButton
          quiet
          icon="trash"
          label={`Remove ${KINDS[item.kind]} ${index + 1}`}
          onClick={() => onTakeOut(item)}
        />
      </div>
      <FileState item={item} files={files} />
    </li>
  );
}

function Choose({ add, isFirst }: { add: (files: readonly File[]) => void; isFirst: boolean }) {
  const id = useId();
  const stopped = useStopped('uploads');
  if (stopped !== undefined)
    return (
      <div className={isFirst ? 'flex-1' : 'w-60 flex-none'}>
        <Banner kind="warn" inline>
          {stopped}
        </Banner>
      </div>
    );
  return (
    <div className={isFirst ? 'flex-1' : undefined}>
      <label
        htmlFor={id}
        className={cx(
          'grid h-24 cursor-pointer content-center justify-items-center gap-1 border border-dashed border-line-strong text-center text-small',
          'focus-within:outline-2 focus-within:outline-offset-2',
          isFirst ? 'w-full' : 'w-24 flex-none',
        )}
      >
        <Icon name="upload" />
        Choose files
        <input
          id={id}
          type="file"
          multiple
          accept={ACCEPTED}
          className="sr-only"
          onChange={(event) => {
            add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </label>
    </div>
  );
}

function hintOf(count: number): string {
  if (count === 0) return `Up to ${POST_LIMITS.files} photos, or one video or audio file. Drag and drop or paste.`;
  return count === 1 ? 'Tap to add alt text.' : 'Tap to add alt text or reorder.';
}

export type FileTilesProps = {
  files: Files;
  library: ReactNode;
  error: string | undefined;
  onWords?: (words: string) => void;
};

export function FileTiles({ files, library, error, onWords }: FileTilesProps) {
  const { items } = files;
  const [opened, setOpened] = useState<string>();
  /** The last removed file, which can be restored while the list is unchanged. */
  const [taken, setTaken] = useState<{ putBack: () => void; count: number }>();
  const keys = items.map(({ key }) => key);
  const { setList, ...reorder } = useReorder(keys, files.move);
  const add: Files['add'] = (chosen, handles) => {
    const refused = files.add(chosen, handles);
    for (const words of refused) void showToast(words, 'error');
    return refused;
  };
  const onTakeOut = (item: Item) => {
    const putBack = files.remove(item.key);
    setTaken(putBack && { putBack, count: items.length - 1 });
  };
  const rows = items.flatMap((item, index) => (hasRow(item) ? [{ item, index }] : []));
  const isFirst = items.length === 0;
  return (
    <section aria-label="Files" {...placed('files')} className="min-w-0">
      <DropAnywhere onFiles={add} onWords={onWords} />
      <div className="relative -mx-edge flex gap-2 overflow-x-auto px-edge py-1 md:mx-0 md:px-0">
        {items.length > 0 && (
          <ol ref={setList} aria-label="In order" className="flex gap-2">
            {items.map((item, index) => (
              <Tile
                key={item.key}
                item={item}
                index={index}
                isLifted={reorder.dragged === item.key}
                onOpen={() => setOpened(item.key)}
                handle={reorder.handle(item.key)}
              />
            ))}
          </ol>
        )}
        <Choose add={add} isFirst={isFirst} />
        {library}
      </div>
      {taken?.count === items.length ? (
        <p role="status" className="flex items-center gap-2 text-small">
          <span className="flex-1">Removed. It’s still in your media library.</span>
          <Button variant="quiet" onClick={taken.putBack}>
            Undo
          </Button>
        </p>
      ) : (
        <p className="pt-1 text-small text-muted">{hintOf(items.length)}</p>
      )}
      {rows.length > 0 && (
        <ul className="mt-2">
          {rows.map(({ item, index }) => (
            <StateRow key={item.key} {...{ item, index, files, onTakeOut }} />
          ))}
        </ul>
      )}
      <FieldError message={error} />
      <FileSheet
        files={files}
        openKey={opened}
        onClose={() => setOpened(undefined)}
        step={reorder.step}
        onTakeOut={onTakeOut}
      />
      <p role="status" className="sr-only">
        {reorder.said}
      </p>
    </section>
  );
}
