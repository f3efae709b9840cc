/**
 * A video or audio with its preview and play button, laid out from the first HTML. The player is loaded when the user
 * intends to play. Pages without script show PlainMedia instead.
 */
import type { PostMedia } from '@stagedoor/contract/pictures.ts';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { formatDuration } from '../../kernel/dates.ts';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { cx } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Picture, Seal } from '../../ui/picture.tsx';
import { AudioFace } from './audio-face.tsx';
import { isRemembered, loadPosition } from './use-position.ts';
import type { Renew } from './use-source.ts';
import { useWelcome } from './use-welcome.ts';

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
  isRemembered?: boolean | undefined;
  pausesOutOfView?: boolean | undefined;
  /** The label of the play button instead of the duration, such as 'Preview 00:30'. */
  words?: string | undefined;
  /** The full price of a teaser, shown first in the badge. */
  price?: ReactNode;
  /** Requests fresh URLs when the current ones have expired. Resolves to null when the viewer has lost access. */
  renew?: Renew | undefined;
  onEnded?: (() => void) | undefined;
  className?: string | undefined;
};

const loadVideo = () => import('./video-player.tsx');
const loadAudio = () => import('./audio-player.tsx');
const VideoPlayer = lazyPart(async () => (await loadVideo()).VideoPlayer);
const LoopPlayer = lazyPart(async () => (await import('./loop-player.tsx')).LoopPlayer);
const AudioPlayer = lazyPart(async () => (await loadAudio()).AudioPlayer);

function usePlace({ media, isRemembered: remembers, pausesOutOfView }: MediaPlayerProps): number | undefined {
  const [seconds, setSeconds] = useState<number>();
  // A list would request a position for every item, so it is requested on press instead.
  const asked = remembers && !pausesOutOfView && isRemembered(media.durationSeconds) ? media.id : undefined;
  const { durationSeconds } = media;
  useEffect(() => {
    if (asked === undefined) return;
    let isGone = false;
    loadPosition(asked, durationSeconds).then((found) => !isGone && found > 0 && setSeconds(found));
    return () => {
      isGone = true;
    };
  }, [asked, durationSeconds]);
  return seconds;
}

type StillProps = MediaPlayerProps & { place: number | undefined; onStart: (at: number) => void; isBusy: boolean };

function Still({ place, onStart, isBusy, ...props }: StillProps) {
  const { media, title, sizes, isPriority, words, price } = props;
  const length = media.durationSeconds === null ? 'Play' : formatDuration(media.durationSeconds);
  const face = words ?? (place === undefined ? length : `Resume at ${formatDuration(place)}`);
  return (
    <>
      <Picture
        {...pictureProps(media.picture, sizes, { ratio: 'auto', priority: isPriority })}
        alt=""
        empty={null}
        className="absolute inset-0"
      />
      {media.stream ? (
        <button
          type="button"
          className="absolute inset-0 focus-visible:-outline-offset-4"
          aria-label={`Play ${title}, ${face}`}
          aria-busy={isBusy}
          onPointerEnter={() => void loadVideo()}
          onFocus={() => void loadVideo()}
          onClick={() => onStart(place ?? 0)}
        />
      ) : (
        <Seal icon="clock">Processing</Seal>
      )}
      {media.stream && (
        <span className="pointer-events-none absolute bottom-0 left-0 inline-flex min-h-14 max-w-full items-center gap-3 bg-surface-0 pr-5 pl-4 font-semibold text-ink tabular-nums">
          {price && (
            <span className="inline-flex items-center gap-2 border-r border-line pr-3">
              <Icon name="lock" size={16} />
              {price}
            </span>
          )}
          <span className="inline-flex items-center gap-3" aria-hidden="true">
            {isBusy ? <span className="spinner" /> : <Icon name="play" className="icon--filled" />}
            {face}
          </span>
        </span>
      )}
      {place !== undefined && media.stream && (
        <button
          type="button"
          className="absolute right-0 bottom-0 min-h-14 bg-surface-0 px-5 font-semibold text-ink"
          onClick={() => onStart(0)}
        >
          Start over
        </button>
      )}
    </>
  );
}

export function MediaPlayer(props: MediaPlayerProps) {
  const { media, ratio, isCompact, className } = props;
  const place = usePlace(props);
  const [startAt, setStartAt] = useState<number>();
  const [isAsking, setIsAsking] = useState(false);
  const [room, setRoom] = useState<HTMLElement | null>(null);
  const start = async (at: number) => {
    if (isAsking) return;
    const isUnknown = props.isRemembered && props.pausesOutOfView && isRemembered(media.durationSeconds) && at === 0;
    if (isUnknown) setIsAsking(true);
    setStartAt(isUnknown ? await loadPosition(media.id, media.durationSeconds) : at);
  };
  const still = (isBusy: boolean) => (
    <Still {...props} place={place} onStart={(at) => void start(at)} isBusy={isBusy || isAsking} />
  );
  const { stream } = media;
  const isLoop = stream?.isLoop === true;
  useWelcome(room, isLoop, () => setStartAt(0));
  const Player = isLoop ? LoopPlayer : VideoPlayer;
  if (media.kind === 'audio') {
    const quiet = (isBusy: boolean) => (
      <AudioFace
        {...props}
        place={place}
        isBusy={isBusy || isAsking}
        onStart={(at) => void start(at)}
        onIntent={() => void loadAudio()}
      />
    );
    if (startAt === undefined || !stream) return quiet(false);
    return (
      <Suspense fallback={quiet(true)}>
        <AudioPlayer {...props} stream={stream} startAt={startAt} isCompact={isCompact} />
      </Suspense>
    );
  }
  return (
    <div
      ref={setRoom}
      className={cx('relative overflow-hidden bg-surface-2', className)}
      style={
        ratio === 'auto' ? undefined : { aspectRatio: ratio ?? `${media.picture.width} / ${media.picture.height}` }
      }
    >
      {startAt === undefined || !stream ? (
        still(false)
      ) : (
        <Suspense fallback={still(true)}>
          <Player {...props} stream={stream} startAt={startAt} />
        </Suspense>
      )}
    </div>
  );
}
