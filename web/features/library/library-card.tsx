import { formatDuration } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { Icon } from '../../ui/icon.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Picture, type PictureProps, Seal } from '../../ui/picture.tsx';
import type { LibraryItem } from './live.ts';
import { LIBRARY_PATH } from './queries.ts';
import { describe, KIND_WORDS, nameOf, stageWords } from './words.ts';

const SIZES = '(min-width: 80rem) 18vw, (min-width: 43.75rem) 30vw, 50vw';
const KIND_ICONS = { picture: 'image', video: 'video', audio: 'sound' } as const;

function pictureOf({ media }: LibraryItem): PictureProps {
  const shared = { ratio: '1', alt: '', empty: null };
  return media.picture?.url ? pictureProps(media.picture, SIZES, shared) : shared;
}

function State({ media }: LibraryItem) {
  if (media.status === 'failed') return <span className="text-danger">{media.failure ?? 'Processing failed.'}</span>;
  if (media.status === 'processing') return stageWords(media);
  return media.isUsed ? 'Used' : 'Unused';
}

function Face({ item, isOut = false }: { item: LibraryItem; isOut?: boolean }) {
  const { media } = item;
  const hasPicture = Boolean(media.picture?.url);
  return (
    <>
      <Picture {...pictureOf(item)} {...(isOut && { className: 'opacity-35' })}>
        {!hasPicture && (
          <span className="absolute inset-0 grid place-items-center text-muted">
            {media.status === 'processing' ? (
              <span className="spinner" />
            ) : (
              <Icon name={media.status === 'failed' ? 'warning' : KIND_ICONS[media.kind]} size={32} />
            )}
          </span>
        )}
        {media.kind !== 'picture' && (
          <Seal icon={media.kind === 'video' ? 'play' : 'sound'}>
            {media.durationSeconds === null ? KIND_WORDS[media.kind] : formatDuration(media.durationSeconds)}
          </Seal>
        )}
        {media.status === 'processing' && (
          <progress
            className="progress__bar absolute inset-x-0 bottom-0"
            aria-label={`Processing ${nameOf(media)}`}
            max={1}
            value={media.stage === 'queued' ? undefined : media.progress}
          />
        )}
      </Picture>
      <span className="block pt-2 text-note">
        <span className="one-line block font-semibold">{nameOf(media)}</span>
        <span className="one-line block text-small text-muted tabular-nums">
          <State {...item} />
        </span>
      </span>
    </>
  );
}

export type Selecting = {
  has: (id: LibraryItem['media']['id']) => boolean;
  toggle: (id: LibraryItem['media']['id']) => void;
};

export function LibraryCard({ item, selecting }: { item: LibraryItem; selecting: Selecting | undefined }) {
  const { media } = item;
  if (!selecting)
    return (
      <UiLink href={`${LIBRARY_PATH}/${media.id}`} className="block min-w-0">
        <Face item={item} />
        <span className="sr-only">, {describe(media)}</span>
      </UiLink>
    );
  if (media.isUsed)
    return (
      <div className="min-w-0">
        <Face item={item} isOut />
      </div>
    );
  return (
    <label className="relative block min-w-0 cursor-pointer has-checked:outline-3 has-checked:outline-offset-2 has-checked:outline-ink">
      <Face item={item} />
      <span className="absolute top-0 right-0 grid size-11 place-items-center bg-surface-0">
        <input
          type="checkbox"
          className="box"
          checked={selecting.has(media.id)}
          onChange={() => selecting.toggle(media.id)}
          aria-label={`Select ${nameOf(media)}`}
        />
      </span>
    </label>
  );
}
