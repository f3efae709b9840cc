/** The files of a post: chosen here, dropped or pasted anywhere, or taken from the library; in their order, each described. */
import { ALT_LENGTH, POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { type ReactNode, useId } from 'react';
import { showToast } from '../../kernel/outcome.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Picture } from '../../ui/picture.tsx';
import { DropAnywhere } from './drop-anywhere.tsx';
import { FileState } from './file-state.tsx';
import type { Files } from './files.ts';
import type { Item } from './items.ts';
import { type Reorder, useReorder } from './reorder.ts';

const ACCEPTED = 'image/*,video/*,audio/*,.heic,.heif,.mkv,.flac,.opus';
const KINDS = { picture: 'picture', video: 'video', audio: 'audio' } as const;
const GLYPHS = { picture: 'image', video: 'video', audio: 'sound' } as const;

function takeOut(files: Files, item: Item) {
  const putBack = files.remove(item.key);
  if (putBack)
    void showToast('Taken out. It stays in your library.', 'info', { action: { label: 'Undo', onClick: putBack } });
}

type EntryProps = {
  item: Item;
  index: number;
  count: number;
  files: Files;
  reorder: Omit<Reorder, 'setList'>;
  isFixed: boolean;
};

function Tools({ item, index, count, files, reorder, isFixed }: EntryProps) {
  const which = `${KINDS[item.kind]} ${index + 1}`;
  const moves = [
    { label: 'Move up', icon: 'chevron-up', disabled: index === 0, onSelect: () => reorder.step(item.key, index - 1) },
    {
      label: 'Move down',
      icon: 'chevron-down',
      disabled: index === count - 1,
      onSelect: () => reorder.step(item.key, index + 1),
    },
  ] as const;
  const remove = { label: 'Take out', icon: 'trash', danger: true, onSelect: () => takeOut(files, item) } as const;
  return (
    <>
      {count > 1 && (
        <IconButton
          quiet
          icon="drag"
          className="cursor-grab touch-none"
          label={`Place ${which}: drag, or use the arrow keys`}
          {...reorder.handle(item.key)}
        />
      )}
      {count > 1 ? (
        <Menu label={`More about ${which}`} items={isFixed ? moves : [...moves, remove]} />
      ) : (
        !isFixed && <IconButton quiet icon="trash" label={`Take out ${which}`} onClick={() => takeOut(files, item)} />
      )}
    </>
  );
}

function Entry(props: EntryProps) {
  const { item, files, reorder } = props;
  const isLifted = reorder.dragged === item.key;
  return (
    <li
      className={cx(
        'grid grid-cols-[96px_minmax(0,1fr)] gap-4 border-t border-line py-4 md:grid-cols-[128px_minmax(0,1fr)]',
        isLifted && 'bg-surface-1',
      )}
    >
      <Picture
        src={item.src}
        alt=""
        ratio={item.kind === 'picture' ? '4 / 5' : '1'}
        empty={<Icon name={GLYPHS[item.kind]} size={28} />}
      />
      <div className="grid grid-cols-1 content-start gap-2">
        <div className="flex min-h-11 items-center gap-1">
          <span className="one-line flex-1 font-semibold">{item.name}</span>
          <Tools {...props} />
        </div>
        <FileState item={item} files={files} />
        {item.state !== 'failed' && (
          <TextField
            label={
              item.kind === 'audio' ? 'Described for those who don’t hear it' : 'Described for those who don’t see it'
            }
            value={item.alt}
            maxLength={ALT_LENGTH}
            onChange={(event) => files.describe(item.key, event.currentTarget.value)}
          />
        )}
      </div>
    </li>
  );
}

function ChooseArea({ add, library }: { add: (files: readonly File[]) => void; library: ReactNode }) {
  const id = useId();
  return (
    <div className="grid justify-items-center gap-3 border border-dashed border-line-strong px-5 py-8 text-center focus-within:outline-2 focus-within:outline-offset-2">
      <div className="flex flex-wrap justify-center gap-2">
        <label htmlFor={id} className="btn btn--line cursor-pointer">
          <Icon name="upload" />
          Choose files
        </label>
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
        {library}
      </div>
      <p className="text-small text-muted">
        or drop or paste them anywhere. Up to {POST_LIMITS.files} pictures, or one video, or one audio.
      </p>
    </div>
  );
}

export type FileListProps = {
  files: Files;
  /** Opens the library; none where files are fixed. */
  library?: ReactNode;
  /** A published post keeps its files; their order and words may change. */
  isFixed?: boolean;
};

export function FileList({ files, library, isFixed = false }: FileListProps) {
  const { items } = files;
  const { setList, ...reorder } = useReorder(
    items.map(({ key }) => key),
    files.move,
  );
  const add: Files['add'] = (chosen, handles) => {
    const refused = files.add(chosen, handles);
    for (const words of refused) void showToast(words, 'error');
    return refused;
  };
  return (
    <section aria-label="Files">
      {!isFixed && (
        <>
          <DropAnywhere onFiles={add} />
          <ChooseArea add={add} library={library} />
        </>
      )}
      {items.length > 0 && (
        <ol ref={setList} className={cx('border-b border-line', !isFixed && 'mt-4')}>
          {items.map((item, index) => (
            <Entry key={item.key} {...{ item, index, files, reorder, isFixed }} count={items.length} />
          ))}
        </ol>
      )}
      <p role="status" className="sr-only">
        {reorder.said}
      </p>
    </section>
  );
}
