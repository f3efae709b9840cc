import type { PostMedia } from '@stagedoor/contract/content/pictures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatDuration } from '../../../../platform/dates.ts';
import * as texts from '../texts.ts';
import type { MediaPlayerProps } from './player-props.ts';

type LockedMedia = Extract<PostMedia, { isLocked: true }>;

/**
 * The public teaser of a locked item as playable media, with the blurred preview as its picture. Undefined without a
 * teaser.
 */
export function toTeaserMedia({
  id,
  kind,
  preview,
  teaser,
}: LockedMedia): Pick<MediaPlayerProps, 'media' | 'label'> | undefined {
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
    label: formatText(texts.previewSeconds, { seconds: formatDuration(teaser.seconds) }),
  };
}
