import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatDuration } from '../../../../platform/dates.ts';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { Picture, PictureBadge, type PictureProps } from '../../../../ui/picture.tsx';
import * as texts from '../texts.ts';
import { describeUpload, formatStage, getMediaName, MEDIA_KIND_LABELS } from './labels.ts';
import { LIBRARY_PATH } from './queries.ts';
import type { LibraryItem } from './socket-events.ts';

const SIZES = '(min-width: 80rem) 18vw, (min-width: 43.75rem) 30vw, 50vw';
const KIND_ICONS = { picture: 'image', video: 'video', audio: 'sound' } as const;

function toCardPicture({ media }: LibraryItem): PictureProps {
  const shared = { ratio: '1', alt: '', empty: null };
  return media.picture?.url ? toPictureProps(media.picture, SIZES, shared) : shared;
}

function MediaStatus({ media }: LibraryItem) {
  if (media.status === 'failed') return <span className="text-danger">{media.failure ?? texts.processingFailed}</span>;
  if (media.status === 'processing') return formatStage(media);
  return media.isUsed ? texts.used : texts.unused;
}

function CardContent({ item, isDimmed = false }: { item: LibraryItem; isDimmed?: boolean }) {
  const { media } = item;
  const hasPicture = Boolean(media.picture?.url);
  return (
    <>
      <Picture {...toCardPicture(item)} {...(isDimmed && { className: 'opacity-35' })}>
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
          <PictureBadge icon={media.kind === 'video' ? 'play' : 'sound'}>
            {media.durationSeconds === null ? MEDIA_KIND_LABELS[media.kind] : formatDuration(media.durationSeconds)}
          </PictureBadge>
        )}
        {media.status === 'processing' && (
          <progress
            className="progress__bar absolute inset-x-0 bottom-0"
            aria-label={formatText(texts.processingMedia, { media: getMediaName(media) })}
            max={1}
            value={media.stage === 'queued' ? undefined : media.progress}
          />
        )}
      </Picture>
      <span className="block pt-2 text-note">
        <span className="one-line block font-semibold">{getMediaName(media)}</span>
        <span className="one-line block text-small text-muted tabular-nums">
          <MediaStatus {...item} />
        </span>
      </span>
    </>
  );
}

export type LibrarySelection = {
  has: (id: LibraryItem['media']['id']) => boolean;
  toggle: (id: LibraryItem['media']['id']) => void;
};

export function LibraryCard({ item, selection }: { item: LibraryItem; selection: LibrarySelection | undefined }) {
  const { media } = item;
  if (!selection)
    return (
      <UiLink href={`${LIBRARY_PATH}/${media.id}`} className="block min-w-0">
        <CardContent item={item} />
        <span className="sr-only">, {describeUpload(media)}</span>
      </UiLink>
    );
  if (media.isUsed)
    return (
      <div className="min-w-0">
        <CardContent item={item} isDimmed />
      </div>
    );
  return (
    <label className="relative block min-w-0 cursor-pointer has-checked:outline-3 has-checked:outline-offset-2 has-checked:outline-ink">
      <CardContent item={item} />
      <span className="absolute top-0 right-0 grid size-11 place-items-center bg-surface-0">
        <input
          type="checkbox"
          className="box"
          checked={selection.has(media.id)}
          onChange={() => selection.toggle(media.id)}
          aria-label={formatText(texts.selectMedia, { media: getMediaName(media) })}
        />
      </span>
    </label>
  );
}
