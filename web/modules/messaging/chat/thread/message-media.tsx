/**
 * Pictures and videos of a message in boxes with reserved space: one in its own aspect ratio, several as a grid of
 * squares.
 */

import type { PostMedia } from '@stagedoor/contract/content/pictures.ts';
import type { Message } from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ReactNode } from 'react';
import { formatDuration } from '../../../../platform/dates.ts';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { MediaKindIcon, Picture, PictureBadge } from '../../../../ui/picture.tsx';
import { useChatContext } from '../chat-parts.ts';
import { type FilePreview, getPreviews } from '../outbox/previews.ts';
import * as texts from '../texts.ts';
import { useFirstLayout } from './first-layout.ts';

const SIZES = '300px';
const RATIO_LIMITS = { min: 3 / 4, max: 16 / 9 };

export function toAspectRatio(width: number, height: number): string {
  if (width <= 0 || height <= 0) return UNKNOWN_RATIO;
  const ratio = Math.min(RATIO_LIMITS.max, Math.max(RATIO_LIMITS.min, width / height));
  return `${Math.round(ratio * 1000)} / 1000`;
}

export function MediaGrid({ count, children }: { count: number; children: ReactNode }) {
  return (
    <div className="shots" data-many={count > 1 ? '' : undefined}>
      {children}
    </div>
  );
}

const UNKNOWN_RATIO = '4 / 3';

function MissingMedia({ ratio, isProcessing }: { ratio: string; isProcessing: boolean }) {
  return (
    <span className="shot" style={{ aspectRatio: ratio }}>
      <PictureBadge icon={isProcessing ? 'clock' : 'warning'}>
        {isProcessing ? texts.processing : texts.notAvailable}
      </PictureBadge>
    </span>
  );
}

export function PreviewBox({ preview, ratio }: { preview: FilePreview; ratio: string }) {
  return (
    <span className="shot" style={{ aspectRatio: ratio }}>
      {preview.kind === 'picture' ? (
        <img src={preview.url} alt="" className="h-full w-full object-cover" />
      ) : (
        <>
          <video src={preview.url} preload="metadata" muted playsInline className="h-full w-full object-cover" />
          <MediaKindIcon icon="play" label={texts.video} />
        </>
      )}
    </span>
  );
}

/** `isWhole`: the box was reserved before the aspect ratio was known, so the picture is fitted inside. */
type BoxProps = { ratio: string; isWhole: boolean };
const toFit = ({ isWhole }: BoxProps) => (isWhole ? 'contain' : undefined);

function LockedMedia({ item, ...box }: BoxProps & { item: Extract<PostMedia, { isLocked: true }> }) {
  return (
    <Picture {...toPictureProps(item.preview, SIZES, { ratio: box.ratio, alt: '', empty: null })} fit={toFit(box)}>
      <PictureBadge icon={item.kind === 'video' ? 'play' : 'lock'}>
        {item.durationSeconds === null
          ? item.kind === 'video'
            ? texts.video
            : texts.photo
          : formatDuration(item.durationSeconds)}
      </PictureBadge>
    </Picture>
  );
}

function UnlockedMedia({
  item,
  name,
  ...box
}: BoxProps & { item: Extract<PostMedia, { isLocked: false }>; name: string }) {
  const { Player, openViewer } = useChatContext();
  if (item.kind !== 'picture')
    return <Player media={item} title={formatText(texts.videoFrom, { name })} artist={name} ratio={box.ratio} />;
  return (
    <button
      type="button"
      className="shot"
      aria-label={formatText(texts.openPhotoFrom, { name })}
      onClick={() => openViewer(item.id)}
    >
      <Picture {...toPictureProps(item.picture, SIZES, { ratio: box.ratio, alt: '' })} fit={toFit(box)} />
    </button>
  );
}

function findKnownRatio(
  { media: [only], pendingMedia }: Message,
  [preview]: readonly FilePreview[],
): string | undefined {
  if (pendingMedia > 0) return preview && toAspectRatio(preview.width, preview.height);
  const size = only?.isLocked === false ? only.picture : only;
  return size && toAspectRatio(size.width, size.height);
}

/**
 * Shows a message's pictures and videos. Boxes keep their first size and number so that nothing below moves when a file
 * becomes ready or turns out to be unusable. `name` is the sender's name.
 */
export function MessageMedia({ message, name }: { message: Message; name: string }) {
  const { media, pendingMedia, clientId } = message;
  const previews = getPreviews(clientId);
  const presentCount = media.length + pendingMedia;
  const isOnDevice = pendingMedia > 0 && previews.length === presentCount;
  const knownRatio = findKnownRatio(message, isOnDevice ? previews : []);
  const { count, reserved } = useFirstLayout('shots', message.id, {
    count: presentCount,
    reserved: knownRatio ?? UNKNOWN_RATIO,
  });
  const isSingle = count === 1;
  const box = {
    ratio: isSingle ? reserved : '1 / 1',
    isWhole: isSingle && knownRatio !== undefined && knownRatio !== reserved,
  };
  // The user's own files are shown from the device until the server's versions are all ready.
  if (isOnDevice) {
    return (
      <MediaGrid count={count}>
        {previews.map((preview) => (
          <PreviewBox key={preview.key} preview={preview} ratio={box.ratio} />
        ))}
      </MediaGrid>
    );
  }
  return (
    <MediaGrid count={count}>
      {media.map((item) =>
        item.isLocked ? (
          <LockedMedia key={item.id} item={item} {...box} />
        ) : (
          <UnlockedMedia key={item.id} item={item} name={name} {...box} />
        ),
      )}
      {Array.from({ length: Math.max(pendingMedia, count - media.length) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing is known of them yet
        <MissingMedia key={`missing ${index}`} ratio={box.ratio} isProcessing={index < pendingMedia} />
      ))}
    </MediaGrid>
  );
}
