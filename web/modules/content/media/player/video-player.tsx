import './player.css';
import type { Stream } from '@stagedoor/contract/content/pictures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type MouseEvent, useEffect, useEffectEvent, useState } from 'react';
import { formatDuration, formatPosition } from '../../../../platform/dates.ts';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { Picture } from '../../../../ui/picture.tsx';
import * as texts from '../texts.ts';
import { applyPlayerSettings, runKeyAction, seekTo, toggleFullscreen, togglePlay } from './commands.ts';
import { pauseOthersOnPlay, pauseOutOfView } from './exclusive-playback.ts';
import { findKeyAction, isHandledBy } from './key-actions.ts';
import { useMediaSession } from './media-session.ts';
import type { MediaPlayerProps } from './player-props.ts';
import { PlayerStatus } from './player-status.tsx';
import { Scrubber } from './scrubber.tsx';
import { useCaptions } from './use-captions.ts';
import { useIdle } from './use-idle.ts';
import { type Playback, usePlayback } from './use-playback.ts';
import { canSavePosition, useSavedPosition } from './use-position.ts';
import { type PlayerSource, useSource } from './use-source.ts';
import { useFullscreen, VideoButtons } from './video-buttons.tsx';

export type VideoPlayerProps = MediaPlayerProps & {
  stream: Stream;
  /** Seconds. */
  startAt: number;
};

const ANNOUNCEMENT_MS = 1_200;

export function useAnnouncement(): [string, (message: string | undefined) => void] {
  const [message, setMessage] = useState('');
  useEffect(() => {
    if (message === '') return;
    const timer = setTimeout(() => setMessage(''), ANNOUNCEMENT_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return [message, (next) => next && setMessage(next)];
}

/** @param frame The visible box of the player, for an element that has none. */
export function usePlayer(
  element: HTMLMediaElement | null,
  frame: Element | null,
  props: VideoPlayerProps,
): [Playback, PlayerSource] {
  const { media, stream, startAt, renew, pausesOutOfView } = props;
  const isSaved = props.isPositionSaved && canSavePosition(media.durationSeconds);
  const playback = usePlayback(element);
  useSavedPosition(element, isSaved ? media.id : undefined);
  useMediaSession(element, { title: props.title, artist: props.artist, picture: media.picture });
  useEffect(() => {
    if (!element) return;
    applyPlayerSettings(element);
    return pauseOthersOnPlay(element);
  }, [element]);
  useEffect(() => {
    if (!element || !frame || !pausesOutOfView) return;
    return pauseOutOfView(element, frame);
  }, [element, frame, pausesOutOfView]);
  return [playback, useSource(element, stream, { startAt, renew })];
}

export function usePlayerKeys(
  frame: HTMLElement | null,
  element: HTMLMediaElement | null,
  handlers: { announce: (message: string | undefined) => void; fullscreen?: () => void; captions?: () => void },
): void {
  const handlePress = useEffectEvent((event: KeyboardEvent) => {
    const action = findKeyAction(event);
    if (!action || !element || !(event.target instanceof Element) || isHandledBy(event.target, event.key)) return;
    event.preventDefault();
    if (action.kind === 'fullscreen') handlers.fullscreen?.();
    else if (action.kind === 'captions') handlers.captions?.();
    else handlers.announce(runKeyAction(element, action));
  });
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => handlePress(event);
    frame?.addEventListener('keydown', handleKeyDown);
    return () => frame?.removeEventListener('keydown', handleKeyDown);
  }, [frame]);
}

const isTouch = ({ nativeEvent }: MouseEvent) =>
  nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';

export function VideoPlayer(props: VideoPlayerProps) {
  const { media, stream, title, sizes, startAt } = props;
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [playback, source] = usePlayer(video, frame, props);
  const [announcement, announce] = useAnnouncement();
  const captions = useCaptions(video, stream.captions);
  const isFullscreen = useFullscreen(frame);
  const isPlaying = !playback.isPaused && !playback.isEnded;
  const idle = useIdle(frame, isPlaying);
  const duration = playback.duration || (media.durationSeconds ?? 0);
  const fullscreen = () => {
    if (frame && video) toggleFullscreen(frame, video).catch(() => undefined);
  };
  usePlayerKeys(frame, video, { announce, fullscreen, captions: () => announce(captions.toggle()) });
  // The pressed play button was removed, so the frame takes the focus and the keys keep working.
  useEffect(() => frame?.focus({ preventScroll: true }), [frame]);
  const handlePress = (event: MouseEvent) => {
    if (isTouch(event)) idle.toggle();
    else if (video) togglePlay(video);
  };
  return (
    <section
      ref={setFrame}
      tabIndex={-1}
      className="player"
      aria-label={formatText(texts.videoTitle, { title })}
      data-idle={idle.isIdle ? '' : undefined}
      data-theme={isFullscreen ? 'dark' : undefined}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: with captions where they are given */}
      <video
        ref={setVideo}
        className="player__video"
        playsInline
        preload="metadata"
        onClick={handlePress}
        onDoubleClick={fullscreen}
      >
        {stream.captions.map(({ language, label, url }) => (
          <track key={language} kind="captions" src={url} srcLang={language} label={label} />
        ))}
      </video>
      {!playback.hasFrame && (
        <Picture
          {...toPictureProps(media.picture, sizes, { ratio: 'auto', priority: true })}
          alt=""
          empty={null}
          className="player__poster"
        />
      )}
      <PlayerStatus
        playback={playback}
        source={source}
        announcement={announcement}
        startedAt={startAt}
        onStartOver={() => video && seekTo(video, 0)}
        onEnded={props.onEnded}
      />
      <div className="player__bar">
        <Scrubber
          time={playback.time || startAt}
          duration={duration}
          buffered={playback.buffered}
          sprite={stream.sprite}
          onSeek={(seconds) => video && seekTo(video, seconds)}
        />
        <VideoButtons
          {...{ video, playback, source, captions, isFullscreen, announce }}
          tracks={stream.captions}
          onFullscreen={fullscreen}
          times={[formatPosition(playback.time || startAt, duration), formatDuration(duration)]}
        />
      </div>
    </section>
  );
}
