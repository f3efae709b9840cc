/**
 * A video or audio with its preview and play button, laid out from the first HTML. The player is loaded when the user
 * intends to play. Pages without script show PlainMedia instead.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { Suspense, useEffect, useState } from 'react';
import { formatDuration } from '../../../../platform/dates.ts';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { cx } from '../../../../ui/class-names.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { Picture, PictureBadge } from '../../../../ui/picture.tsx';
import * as texts from '../texts.ts';
import { AudioPreview } from './audio-preview.tsx';
import type { MediaPlayerProps } from './player-props.ts';
import { useFirstView } from './use-first-view.ts';
import { canSavePosition, loadPosition } from './use-position.ts';

const loadVideo = () => import('./video-player.tsx');
const loadAudio = () => import('./audio-player.tsx');
const VideoPlayer = lazyPart(async () => (await loadVideo()).VideoPlayer);
const LoopPlayer = lazyPart(async () => (await import('./loop-player.tsx')).LoopPlayer);
const AudioPlayer = lazyPart(async () => (await loadAudio()).AudioPlayer);

function useResumePosition({ media, isPositionSaved: isSaved, pausesOutOfView }: MediaPlayerProps): number | undefined {
  const [seconds, setSeconds] = useState<number>();
  // A list would request a position for every item, so it is requested on press instead.
  const requestedId = isSaved && !pausesOutOfView && canSavePosition(media.durationSeconds) ? media.id : undefined;
  const { durationSeconds } = media;
  useEffect(() => {
    if (requestedId === undefined) return;
    let isUnmounted = false;
    loadPosition(requestedId, durationSeconds).then((stored) => !isUnmounted && stored > 0 && setSeconds(stored));
    return () => {
      isUnmounted = true;
    };
  }, [requestedId, durationSeconds]);
  return seconds;
}

type PosterProps = MediaPlayerProps & { position: number | undefined; onStart: (at: number) => void; isBusy: boolean };

function Poster({ position, onStart, isBusy, ...props }: PosterProps) {
  const { media, title, sizes, isPriority, label, price } = props;
  const length = media.durationSeconds === null ? texts.play : formatDuration(media.durationSeconds);
  const buttonLabel =
    label ?? (position === undefined ? length : formatText(texts.resumeAt, { position: formatDuration(position) }));
  return (
    <>
      <Picture
        {...toPictureProps(media.picture, sizes, { ratio: 'auto', priority: isPriority })}
        alt=""
        empty={null}
        className="absolute inset-0"
      />
      {media.stream ? (
        <button
          type="button"
          className="absolute inset-0 focus-visible:-outline-offset-4"
          aria-label={formatText(texts.playMedia, { title, buttonLabel })}
          aria-busy={isBusy}
          onPointerEnter={() => void loadVideo()}
          onFocus={() => void loadVideo()}
          onClick={() => onStart(position ?? 0)}
        />
      ) : (
        <PictureBadge icon="clock">{texts.processing}</PictureBadge>
      )}
      {media.stream && (
        <span className="poster__badge">
          {price && (
            <span className="inline-flex items-center gap-2 border-r border-line pr-3">
              <Icon name="lock" size={16} />
              {price}
            </span>
          )}
          <span className="inline-flex items-center gap-3" aria-hidden="true">
            {isBusy ? <span className="spinner" /> : <Icon name="play" className="icon--filled" />}
            {buttonLabel}
          </span>
        </span>
      )}
      {position !== undefined && media.stream && (
        <button type="button" className="poster__again" onClick={() => onStart(0)}>
          {texts.startOver}
        </button>
      )}
    </>
  );
}

export function MediaPlayer(props: MediaPlayerProps) {
  const { media, ratio, isCompact, className } = props;
  const position = useResumePosition(props);
  const [startAt, setStartAt] = useState<number>();
  const [isLoadingPosition, setIsLoadingPosition] = useState(false);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const start = async (at: number) => {
    if (isLoadingPosition) return;
    const isUnknown =
      props.isPositionSaved && props.pausesOutOfView && canSavePosition(media.durationSeconds) && at === 0;
    if (isUnknown) setIsLoadingPosition(true);
    setStartAt(isUnknown ? await loadPosition(media.id, media.durationSeconds) : at);
  };
  const renderPoster = (isBusy: boolean) => (
    <Poster {...props} position={position} onStart={(at) => void start(at)} isBusy={isBusy || isLoadingPosition} />
  );
  const { stream } = media;
  const isLoop = stream?.isLoop === true;
  useFirstView(container, isLoop, () => setStartAt(0));
  const Player = isLoop ? LoopPlayer : VideoPlayer;
  if (media.kind === 'audio') {
    const renderPreview = (isBusy: boolean) => (
      <AudioPreview
        {...props}
        position={position}
        isBusy={isBusy || isLoadingPosition}
        onStart={(at) => void start(at)}
        onIntent={() => void loadAudio()}
      />
    );
    if (startAt === undefined || !stream) return renderPreview(false);
    return (
      <Suspense fallback={renderPreview(true)}>
        <AudioPlayer {...props} stream={stream} startAt={startAt} isCompact={isCompact} />
      </Suspense>
    );
  }
  return (
    <div
      ref={setContainer}
      className={cx('relative overflow-hidden bg-surface-2', className)}
      style={
        ratio === 'auto' ? undefined : { aspectRatio: ratio ?? `${media.picture.width} / ${media.picture.height}` }
      }
    >
      {startAt === undefined || !stream ? (
        renderPoster(false)
      ) : (
        <Suspense fallback={renderPoster(true)}>
          <Player {...props} stream={stream} startAt={startAt} />
        </Suspense>
      )}
    </div>
  );
}
