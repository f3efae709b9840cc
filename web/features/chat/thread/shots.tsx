/**
 * Pictures and videos of a message in boxes with reserved space: one in its own aspect ratio, several as a grid of
 * squares.
 */
import type { Message } from '@stagedoor/contract/messages.ts';
import type { PostMedia } from '@stagedoor/contract/pictures.ts';
import type { ReactNode } from 'react';
import { formatDuration } from '../../../kernel/dates.ts';
import { pictureProps } from '../../../kernel/pictures.ts';
import { Kind, Picture, Seal } from '../../../ui/picture.tsx';
import { type Preview, previewsOf } from '../outbox/previews.ts';
import { useParts } from '../parts.ts';
import { useFirstLayout } from './first-layout.ts';

const SIZES = '300px';
const RATIOS = { min: 3 / 4, max: 16 / 9 };

export function ratioOf(width: number, height: number): string {
  if (width <= 0 || height <= 0) return UNKNOWN_RATIO;
  const ratio = Math.min(RATIOS.max, Math.max(RATIOS.min, width / height));
  return `${Math.round(ratio * 1000)} / 1000`;
}

export function Shots({ count, children }: { count: number; children: ReactNode }) {
  return (
    <div className="shots" data-many={count > 1 ? '' : undefined}>
      {children}
    </div>
  );
}

const UNKNOWN_RATIO = '4 / 3';

function Missing({ ratio, isComing }: { ratio: string; isComing: boolean }) {
  return (
    <span className="shot" style={{ aspectRatio: ratio }}>
      <Seal icon={isComing ? 'clock' : 'warning'}>{isComing ? 'Processing' : 'Not available'}</Seal>
    </span>
  );
}

export function PreviewShot({ preview, ratio }: { preview: Preview; ratio: string }) {
  return (
    <span className="shot" style={{ aspectRatio: ratio }}>
      {preview.kind === 'picture' ? (
        <img src={preview.url} alt="" className="h-full w-full object-cover" />
      ) : (
        <>
          <video src={preview.url} preload="metadata" muted playsInline className="h-full w-full object-cover" />
          <Kind icon="play" label="Video" />
        </>
      )}
    </span>
  );
}

/** `isWhole`: the box was reserved before the aspect ratio was known, so the picture is fitted inside. */
type Box = { ratio: string; isWhole: boolean };
const fitOf = ({ isWhole }: Box) => (isWhole ? 'contain' : undefined);

function LockedShot({ item, ...box }: Box & { item: Extract<PostMedia, { isLocked: true }> }) {
  return (
    <Picture {...pictureProps(item.preview, SIZES, { ratio: box.ratio, alt: '', empty: null })} fit={fitOf(box)}>
      <Seal icon={item.kind === 'video' ? 'play' : 'lock'}>
        {item.durationSeconds === null
          ? item.kind === 'video'
            ? 'Video'
            : 'Photo'
          : formatDuration(item.durationSeconds)}
      </Seal>
    </Picture>
  );
}

function OpenShot({ item, name, ...box }: Box & { item: Extract<PostMedia, { isLocked: false }>; name: string }) {
  const { Player, openViewer } = useParts();
  if (item.kind !== 'picture')
    return <Player media={item} title={`a video from ${name}`} artist={name} ratio={box.ratio} />;
  return (
    <button
      type="button"
      className="shot"
      aria-label={`Open the photo from ${name}`}
      onClick={() => openViewer(item.id)}
    >
      <Picture {...pictureProps(item.picture, SIZES, { ratio: box.ratio, alt: '' })} fit={fitOf(box)} />
    </button>
  );
}

function knownRatio({ media: [only], pendingMedia }: Message, [preview]: readonly Preview[]): string | undefined {
  if (pendingMedia > 0) return preview && ratioOf(preview.width, preview.height);
  const size = only?.isLocked === false ? only.picture : only;
  return size && ratioOf(size.width, size.height);
}

/**
 * Shows a message's pictures and videos. Boxes keep their first size and number so that nothing below moves when a file
 * becomes ready or turns out to be unusable. `name` is the sender's name.
 */
export function MessageShots({ message, name }: { message: Message; name: string }) {
  const { media, pendingMedia, clientId } = message;
  const previews = previewsOf(clientId);
  const present = media.length + pendingMedia;
  const isOnDevice = pendingMedia > 0 && previews.length === present;
  const known = knownRatio(message, isOnDevice ? previews : []);
  const { count, reserved } = useFirstLayout('shots', message.id, { count: present, reserved: known ?? UNKNOWN_RATIO });
  const isOne = count === 1;
  const box = { ratio: isOne ? reserved : '1 / 1', isWhole: isOne && known !== undefined && known !== reserved };
  // The user's own files are shown from the device until the server's versions are all ready.
  if (isOnDevice) {
    return (
      <Shots count={count}>
        {previews.map((preview) => (
          <PreviewShot key={preview.key} preview={preview} ratio={box.ratio} />
        ))}
      </Shots>
    );
  }
  return (
    <Shots count={count}>
      {media.map((item) =>
        item.isLocked ? (
          <LockedShot key={item.id} item={item} {...box} />
        ) : (
          <OpenShot key={item.id} item={item} name={name} {...box} />
        ),
      )}
      {Array.from({ length: Math.max(pendingMedia, count - media.length) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing is known of them yet
        <Missing key={`missing ${index}`} ratio={box.ratio} isComing={index < pendingMedia} />
      ))}
    </Shots>
  );
}
