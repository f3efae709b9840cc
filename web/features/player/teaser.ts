/** A locked item's free taste, as something to play: public, short, with the blurred preview for its picture. */
import type { PostMedia } from '@stagedoor/contract/pictures.ts';
import { formatDuration } from '../../kernel/dates.ts';
import type { MediaPlayerProps } from './media-player.tsx';

type Locked = Extract<PostMedia, { isLocked: true }>;

/** Nothing when it has none. */
export function teaserOf({ id, kind, preview, teaser }: Locked): Pick<MediaPlayerProps, 'media' | 'words'> | undefined {
  if (!teaser) return undefined;
  return {
    media: {
      id,
      kind,
      durationSeconds: teaser.seconds,
      picture: preview,
      stream: {
        hls: null,
        file: teaser.file,
        fileType: teaser.fileType,
        sprite: null,
        waveform: [],
        isLoop: false,
        captions: [],
      },
    },
    words: `Preview ${formatDuration(teaser.seconds)}`,
  };
}
