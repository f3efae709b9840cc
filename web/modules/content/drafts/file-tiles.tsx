import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { type ReactNode, useId, useState } from 'react';
import { formatDuration } from '../../../platform/dates.ts';
import { showToast } from '../../../platform/feedback.ts';
import { useFeatureDisabledMessage } from '../../../platform/site-status.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/class-names.ts';
import { FieldErrorMessage } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Picture, PictureBadge } from '../../../ui/picture.tsx';
import { Banner } from '../../../ui/states.tsx';
import { DropAnywhere } from './drop-anywhere.tsx';
import { FileSheet } from './file-sheet.tsx';
import { describeFile, FileState } from './file-state.tsx';
import { toPositionProps } from './form-errors.ts';
import { findMixError, hasProblem, type UploadItem } from './items.ts';
import { type Reorder, useReorder } from './reorder.ts';
import * as texts from './texts.ts';
import type { PostFiles } from './use-files.ts';

const ACCEPTED = 'image/*,video/*,audio/*,.heic,.heif,.mkv,.flac,.opus';
const KIND_ICONS = { picture: 'image', video: 'video', audio: 'sound' } as const;
const KINDS = { picture: 'photo', video: 'video', audio: 'audio' } as const;
const TILE = 'size-24 flex-none';
/** Smaller files finish before their status could be read. */
const SLOW_BYTES = 8_000_000;

function hasRow(item: UploadItem): boolean {
  if (hasProblem(item) || item.state === 'paused' || item.state === 'offline') return true;
  if (item.leftOutSubtitles > 0) return true;
  return item.state !== 'ready' && (item.kind !== 'picture' || item.byteSize > SLOW_BYTES);
}

type TileProps = {
  item: UploadItem;
  index: number;
  isDragged: boolean;
  onOpen: () => void;
  handle: ReturnType<Reorder['handle']>;
};

function FileTile({ item, index, isDragged, onOpen, handle }: TileProps) {
  const { kind, src, state, sent, byteSize, progress, durationSeconds } = item;
  const isSending = state === 'waiting' || state === 'uploading';
  return (
    <li className={cx('relative', TILE, isDragged && 'opacity-60')}>
      <button
        type="button"
        className={cx('block w-full touch-pan-x', hasProblem(item) && 'outline-2 outline-offset-[-2px] outline-danger')}
        onClick={onOpen}
        {...handle}
      >
        <span aria-hidden="true">
          <Picture src={src} alt="" ratio="1" empty={<Icon name={KIND_ICONS[kind]} size={28} />}>
            {durationSeconds !== null && <PictureBadge>{formatDuration(durationSeconds)}</PictureBadge>}
          </Picture>
        </span>
        <span className="sr-only">{describeFile(item, index)}</span>
      </button>
      {(isSending || state === 'processing') && !hasRow(item) && (
        <progress
          className="progress__bar absolute bottom-1 left-1 w-[calc(100%-8px)]"
          aria-label={`${isSending ? texts.uploading : texts.processing} ${item.name}`}
          max={isSending ? byteSize : 1}
          value={isSending ? sent : progress > 0 ? progress : undefined}
        />
      )}
    </li>
  );
}

type StateRowProps = { item: UploadItem; index: number; files: PostFiles; onRemove: (item: UploadItem) => void };

function StateRow({ item, index, files, onRemove }: StateRowProps) {
  return (
    <li className="grid gap-1 border-t border-line py-2" {...toPositionProps(`file:${item.key}`)}>
      <div className="flex min-h-11 items-center gap-1">
        <span className="one-line flex-1 font-semibold">{item.name}</span>
        <IconButton
          quiet
          icon="trash"
          label={formatText(texts.removeFile, { kind: KINDS[item.kind], index: index + 1 })}
          onClick={() => onRemove(item)}
        />
      </div>
      <FileState item={item} files={files} />
    </li>
  );
}

function FileChooser({ add, isFirst }: { add: (files: readonly File[]) => void; isFirst: boolean }) {
  const id = useId();
  const disabledMessage = useFeatureDisabledMessage('uploads');
  if (disabledMessage !== undefined)
    return (
      <div className={isFirst ? 'flex-1' : 'w-60 flex-none'}>
        <Banner kind="warn" inline>
          {disabledMessage}
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
        {texts.chooseFiles}
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

export function getHint(items: readonly Pick<UploadItem, 'kind'>[]): string {
  if (items.length === 0) return formatText(texts.chooseFilesHint, { files: POST_LIMITS.files });
  const limit = items.every(({ kind }) => kind === 'picture')
    ? formatText(texts.photoCountHint, { files: POST_LIMITS.files })
    : texts.oneVideoOrAudioHint;
  return `${limit} ${items.length === 1 ? texts.altTextHint : texts.altTextOrReorderHint}`;
}

export type FileTilesProps = {
  files: PostFiles;
  library: ReactNode;
  error: string | undefined;
  onText?: (message: string) => void;
};

export function FileTiles({ files, library, error, onText }: FileTilesProps) {
  const { items } = files;
  const [openKey, setOpenKey] = useState<string>();
  /** The last removed file, which can be restored while the list is unchanged. */
  const [removed, setRemoved] = useState<{ restore: () => void; count: number }>();
  const keys = items.map(({ key }) => key);
  const { setList, ...reorder } = useReorder(keys, files.move);
  const add: PostFiles['add'] = (newFiles, handles) => {
    const refusals = files.add(newFiles, handles);
    for (const message of refusals) void showToast(message, 'error');
    return refusals;
  };
  const onRemove = (item: UploadItem) => {
    const restore = files.remove(item.key);
    setRemoved(restore && { restore, count: items.length - 1 });
  };
  const rows = items.flatMap((item, index) => (hasRow(item) ? [{ item, index }] : []));
  const isFirst = items.length === 0;
  return (
    <section aria-label={texts.files} {...toPositionProps('files')} className="min-w-0">
      <DropAnywhere onFiles={add} onText={onText} />
      <div className="relative -mx-edge flex gap-2 overflow-x-auto px-edge py-1 md:mx-0 md:px-0">
        {items.length > 0 && (
          <ol ref={setList} aria-label={texts.inOrder} className="flex gap-2">
            {items.map((item, index) => (
              <FileTile
                key={item.key}
                item={item}
                index={index}
                isDragged={reorder.dragged === item.key}
                onOpen={() => setOpenKey(item.key)}
                handle={reorder.handle(item.key)}
              />
            ))}
          </ol>
        )}
        <FileChooser add={add} isFirst={isFirst} />
        {library}
      </div>
      {removed?.count === items.length ? (
        <p role="status" className="flex items-center gap-2 text-small">
          <span className="flex-1">{texts.fileRemovedHint}</span>
          <Button variant="quiet" onClick={removed.restore}>
            {texts.undo}
          </Button>
        </p>
      ) : (
        <p className="pt-1 text-small text-muted">{getHint(items)}</p>
      )}
      <FieldErrorMessage message={error ?? findMixError(items)} />
      {rows.length > 0 && (
        <ul className="mt-2">
          {rows.map(({ item, index }) => (
            <StateRow key={item.key} {...{ item, index, files, onRemove }} />
          ))}
        </ul>
      )}
      <FileSheet
        files={files}
        openKey={openKey}
        onClose={() => setOpenKey(undefined)}
        step={reorder.moveStep}
        onRemove={onRemove}
      />
      <p role="status" className="sr-only">
        {reorder.announcement}
      </p>
    </section>
  );
}
