import type { PostMedia } from '@stagedoor/contract/content/pictures.ts';
import type { ReactNode } from 'react';
import type { RenewStream } from './use-source.ts';

export type OpenMedia = Extract<PostMedia, { isLocked: false }>;

export type MediaPlayerProps = {
  media: Pick<OpenMedia, 'id' | 'kind' | 'durationSeconds' | 'picture' | 'stream'>;
  /** Title and author, for screen readers and the system's media controls. */
  title: string;
  artist: string;
  /** The HTML `sizes` attribute. */
  sizes: string;
  /**
   * CSS aspect ratio. Defaults to the picture's own. 'auto' leaves it to the class. The video is shown whole within it.
   */
  ratio?: string | undefined;
  isPriority?: boolean | undefined;
  isCompact?: boolean | undefined;
  isPositionSaved?: boolean | undefined;
  pausesOutOfView?: boolean | undefined;
  /** The label of the play button instead of the duration, such as 'Preview 00:30'. */
  label?: string | undefined;
  /** The full price of a teaser, shown first in the badge. */
  price?: ReactNode;
  /** Requests fresh URLs when the current ones have expired. Resolves to null when the viewer has lost access. */
  renew?: RenewStream | undefined;
  onEnded?: (() => void) | undefined;
  className?: string | undefined;
};
