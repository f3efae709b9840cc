/** Video or audio for pages without script, with the browser's own controls. */
import type { CaptionTrack } from '@stagedoor/contract/content/pictures.ts';
import { cx } from '../../../../ui/class-names.ts';
import type { MediaPlayerProps } from './player-props.ts';

export type PlainMediaProps = Pick<MediaPlayerProps, 'media' | 'title' | 'ratio' | 'className'>;

/** The media type of an HLS playlist (RFC 8216, section 4). */
export const HLS_TYPE = 'application/vnd.apple.mpegurl';

function Tracks({ captions }: { captions: readonly CaptionTrack[] }) {
  return captions.map(({ language, label, url }) => (
    <track key={language} kind="captions" src={url} srcLang={language} label={label} />
  ));
}

export function PlainMedia({ media, title, ratio, className }: PlainMediaProps) {
  const { stream, picture, kind } = media;
  if (!stream) return null;
  const { hls, file, fileType, isLoop, captions } = stream;
  // Browsers take the first source they can play: HLS where it is supported, otherwise the file.
  const sources = (
    <>
      {hls && <source src={hls} type={HLS_TYPE} />}
      {file && <source src={file} type={fileType ?? undefined} />}
    </>
  );
  if (kind === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: with captions where they are given
      <audio controls preload="metadata" aria-label={title} className={cx('block w-full', className)}>
        {sources}
        <Tracks captions={captions} />
      </audio>
    );
  }
  return (
    <video
      controls
      loop={isLoop}
      muted={isLoop}
      playsInline
      preload="metadata"
      poster={picture.url || undefined}
      aria-label={title}
      width={picture.width}
      height={picture.height}
      className={cx('block h-auto w-full bg-surface-2', className)}
      style={ratio === 'auto' ? undefined : { aspectRatio: ratio ?? `${picture.width} / ${picture.height}` }}
    >
      {sources}
      <Tracks captions={captions} />
    </video>
  );
}
