import { listMedia, type Media } from '@stagedoor/contract/content/media.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount, formatDuration } from '../../../platform/dates.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { apiInfiniteQuery } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip, Chips } from '../../../ui/chips.tsx';
import { Sheet } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Picture, PictureBadge } from '../../../ui/picture.tsx';
import { EmptyState, ErrorState, SkeletonCards } from '../../../ui/states.tsx';
import {
  findOtherUseOfChatFile,
  findOtherUseOfDraftFile,
  type LibraryItem,
  type LibraryUse,
} from './library-choice.ts';
import * as texts from './texts.ts';

const PAGE_SIZE = 30;
/** When few items of a page match, more pages are loaded until this many do. */
const MIN_MATCHES = 9;
const MAX_PAGES_AHEAD = 5;
const KIND_ICONS = { picture: 'image', video: 'video', audio: 'sound' } as const;

type MediaChoiceProps = { media: Media; use: LibraryUse | undefined; isChosen: boolean; onToggle: () => void };

function MediaChoice({ media, use, isChosen, onToggle }: MediaChoiceProps) {
  const name = media.title || media.fileName || 'Untitled';
  const glyph = <Icon name={KIND_ICONS[media.kind]} size={28} />;
  const dimmed = use?.isTaken ? { className: 'opacity-35' } : {};
  const length = media.durationSeconds === null ? undefined : formatDuration(media.durationSeconds);
  return (
    <label className="relative block min-w-0 cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-disabled:cursor-default">
      <input
        type="checkbox"
        className="box absolute top-2 left-2 z-10"
        checked={isChosen}
        onChange={onToggle}
        disabled={use?.isTaken}
        aria-label={use ? formatText(texts.fileInUse, { name: isolateText(name), use: use.label }) : name}
      />
      {media.picture ? (
        <Picture {...toPictureProps(media.picture, '160px', { alt: '', ratio: '1', empty: glyph })} {...dimmed}>
          {length && <PictureBadge>{length}</PictureBadge>}
        </Picture>
      ) : (
        <Picture alt="" ratio="1" empty={glyph} {...dimmed}>
          {length && <PictureBadge>{length}</PictureBadge>}
        </Picture>
      )}
      <span className="one-line block pt-1 text-small text-muted">{name}</span>
      {use && <span className="block text-small font-semibold">{use.label}</span>}
    </label>
  );
}

type LibraryQuery = {
  use: 'unused' | 'all';
  isOffered: (item: LibraryItem) => boolean;
  findUse: (item: LibraryItem) => LibraryUse | undefined;
};

function LibraryResults({
  search,
  use,
  isOffered,
  findUse,
  chosen,
  onToggle,
}: LibraryQuery & {
  search: string;
  chosen: readonly Media[];
  onToggle: (media: Media) => void;
}) {
  const { data, isPending, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    {
      ...apiInfiniteQuery(listMedia, { query: { use, search, limit: PAGE_SIZE } }),
      // What was published or drafted a moment ago is marked, too.
      staleTime: 0,
    },
  );
  const pages = data?.pages ?? [];
  const items = pages.flatMap((page) => page.data.filter(isOffered));
  const shouldLoadMore =
    items.length < MIN_MATCHES && !isError && hasNextPage && !isFetchingNextPage && pages.length < MAX_PAGES_AHEAD;
  useEffect(() => {
    if (shouldLoadMore) void fetchNextPage();
  }, [shouldLoadMore, fetchNextPage]);
  if (isPending) return <SkeletonCards count={6} ratio="1" className="grid grid-cols-3 gap-2" />;
  if (isError) return <ErrorState more={error.message} onRetry={() => void refetch()} />;
  if (items.length === 0 && !hasNextPage)
    return search ? (
      <EmptyState line={formatText(texts.noResultsFor, { search: isolateText(search) })} />
    ) : (
      <EmptyState
        line={use === 'all' ? texts.noFilesAvailableToSend : texts.noUnusedFiles}
        more={texts.chooseFromDeviceHint}
      />
    );
  return (
    <>
      <ul className="grid grid-cols-3 gap-2">
        {items.map((item) => (
          <li key={item.media.id} className="min-w-0">
            <MediaChoice
              media={item.media}
              use={findUse(item)}
              isChosen={chosen.some(({ id }) => id === item.media.id)}
              onToggle={() => onToggle(item.media)}
            />
          </li>
        ))}
      </ul>
      <Pager onMore={hasNextPage ? () => void fetchNextPage() : undefined} busy={isFetchingNextPage} />
    </>
  );
}

type LibrarySheetProps = LibraryQuery & {
  /** Whether the user can list all files, also those that cannot be chosen. */
  hasUseFilter?: boolean;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  max: number;
  onAdd: (media: readonly Media[]) => void;
};

function LibrarySheet({
  isOpen,
  onOpenChange,
  max,
  onAdd,
  use: initialUse,
  hasUseFilter = false,
  isOffered,
  findUse,
}: LibrarySheetProps) {
  const [use, setUse] = useState(initialUse);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly Media[]>([]);
  const search = useDeferredValue(text.trim());
  const toggle = (media: Media) => {
    const rest = chosen.filter(({ id }) => id !== media.id);
    setChosen(rest.length < chosen.length ? rest : chosen.length < max ? [...chosen, media] : chosen);
  };
  return (
    <Sheet open={isOpen} onOpenChange={onOpenChange} title={texts.mediaLibrary} width={600}>
      <TextField
        label={texts.searchLibrary}
        type="search"
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        className="pb-4"
      />
      {hasUseFilter && (
        <Chips label={texts.showFiles} className="pb-4">
          <Chip pressed={use === 'unused'} onClick={() => setUse('unused')}>
            {texts.unusedFiles}
          </Chip>
          <Chip pressed={use === 'all'} onClick={() => setUse('all')}>
            {texts.allFiles}
          </Chip>
        </Chips>
      )}
      <div className="-m-1 min-h-40 shrink overflow-y-auto overscroll-contain p-1">
        {isOpen && <LibraryResults {...{ search, use, isOffered, findUse, chosen }} onToggle={toggle} />}
      </div>
      <div className="dialog__acts">
        <Button
          variant="ink"
          wide
          disabled={chosen.length === 0}
          onClick={() => {
            onAdd(chosen);
            setChosen([]);
            onOpenChange(false);
          }}
        >
          {chosen.length === 0
            ? texts.selectFiles
            : formatText(texts.addFiles, { fileCount: formatCount(chosen.length, 'file') })}
        </Button>
      </div>
    </Sheet>
  );
}

export type LibraryPickerProps = {
  /** The draft that is being written. */
  draftId?: string | undefined;
  excludedIds: ReadonlySet<string>;
  onAdd: (media: readonly Media[]) => void;
};

export function LibraryPicker({ draftId, excludedIds, onAdd }: LibraryPickerProps) {
  const [openCount, setOpenCount] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="grid h-24 w-24 flex-none content-center justify-items-center gap-1 border border-line-strong text-small"
        onClick={() => {
          setOpenCount((count) => count + 1);
          setIsOpen(true);
        }}
      >
        <Icon name="images" />
        {texts.fromYourLibrary}
      </button>
      <LibrarySheet
        key={openCount}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        use="unused"
        hasUseFilter
        findUse={(item) => findOtherUseOfDraftFile(item, draftId)}
        isOffered={({ media }) => media.status !== 'failed' && !excludedIds.has(media.id)}
        max={POST_LIMITS.files - excludedIds.size}
        onAdd={onAdd}
      />
    </>
  );
}

/** Uploads that can be sent in chat: ready pictures and videos that are in no post. Opens when mounted. */
export function SendableLibrary({
  max,
  onOpenChange,
  onAdd,
}: Pick<LibrarySheetProps, 'max' | 'onOpenChange' | 'onAdd'>) {
  return (
    <LibrarySheet
      isOpen
      use="all"
      findUse={findOtherUseOfChatFile}
      isOffered={({ media, postId }) =>
        media.status === 'ready' && media.picture !== null && media.kind !== 'audio' && !postId
      }
      {...{ max, onOpenChange, onAdd }}
    />
  );
}
