/** What is in the library and hangs nowhere yet, to be taken into a post. */
import { POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { listMedia, type Media } from '@stagedoor/contract/media.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { formatDuration, plural } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { apiInfiniteQuery } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Picture, Seal } from '../../ui/picture.tsx';
import { EmptyState, ErrorState, SkeletonCards } from '../../ui/states.tsx';

const PAGE = 30;
const GLYPHS = { picture: 'image', video: 'video', audio: 'sound' } as const;

function Choice({ media, isChosen, onToggle }: { media: Media; isChosen: boolean; onToggle: () => void }) {
  const name = media.title || media.fileName || 'Untitled';
  const glyph = <Icon name={GLYPHS[media.kind]} size={28} />;
  const length = media.durationSeconds === null ? undefined : formatDuration(media.durationSeconds);
  return (
    <label className="relative block min-w-0 cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2">
      <input
        type="checkbox"
        className="box absolute top-2 left-2 z-10"
        checked={isChosen}
        onChange={onToggle}
        aria-label={name}
      />
      {media.picture ? (
        <Picture {...pictureProps(media.picture, '160px', { alt: '', ratio: '1', empty: glyph })}>
          {length && <Seal>{length}</Seal>}
        </Picture>
      ) : (
        <Picture alt="" ratio="1" empty={glyph}>
          {length && <Seal>{length}</Seal>}
        </Picture>
      )}
      <span className="one-line block pt-1 text-small text-muted">{name}</span>
    </label>
  );
}

function Found({
  search,
  without,
  chosen,
  onToggle,
}: {
  search: string;
  without: ReadonlySet<string>;
  chosen: readonly Media[];
  onToggle: (media: Media) => void;
}) {
  const { data, isPending, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    apiInfiniteQuery(listMedia, { query: { use: 'unused', search, limit: PAGE } }),
  );
  if (isPending) return <SkeletonCards count={6} ratio="1" className="grid grid-cols-3 gap-2" />;
  if (isError) return <ErrorState more={error.message} onRetry={() => void refetch()} />;
  const media = data.pages
    .flatMap((page) => page.data.map((item) => item.media))
    .filter(({ id, status }) => status !== 'failed' && !without.has(id));
  if (media.length === 0)
    return search ? (
      <EmptyState line={`Nothing is called “${search}”.`} />
    ) : (
      <EmptyState line="Everything in your library hangs somewhere." more="Choose files from this device instead." />
    );
  return (
    <>
      <ul className="grid grid-cols-3 gap-2">
        {media.map((each) => (
          <li key={each.id} className="min-w-0">
            <Choice media={each} isChosen={chosen.some(({ id }) => id === each.id)} onToggle={() => onToggle(each)} />
          </li>
        ))}
      </ul>
      <Pager onMore={hasNextPage ? () => void fetchNextPage() : undefined} busy={isFetchingNextPage} />
    </>
  );
}

export type LibraryPickerProps = {
  /** Media that are in the post already. */
  without: ReadonlySet<string>;
  onAdd: (media: readonly Media[]) => void;
};

export function LibraryPicker({ without, onAdd }: LibraryPickerProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<readonly Media[]>([]);
  const search = useDeferredValue(text.trim());
  const room = POST_LIMITS.files - without.size;
  const toggle = (media: Media) => {
    const rest = chosen.filter(({ id }) => id !== media.id);
    setChosen(rest.length < chosen.length ? rest : chosen.length < room ? [...chosen, media] : chosen);
  };
  const open = (to: boolean) => {
    setIsOpen(to);
    if (to) setChosen([]);
  };
  return (
    <>
      <Button icon="images" onClick={() => open(true)}>
        From your library
      </Button>
      <Sheet open={isOpen} onOpenChange={open} title="Your library" width={600}>
        <TextField
          label="Search titles, tags and file names"
          type="search"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          className="pb-4"
        />
        <div className="min-h-40">{isOpen && <Found {...{ search, without, chosen }} onToggle={toggle} />}</div>
        <div className="dialog__acts">
          <Button
            variant="ink"
            wide
            disabled={chosen.length === 0}
            onClick={() => {
              onAdd(chosen);
              open(false);
            }}
          >
            {chosen.length === 0 ? 'Choose some' : `Add ${plural(chosen.length, 'file')}`}
          </Button>
        </div>
      </Sheet>
    </>
  );
}
