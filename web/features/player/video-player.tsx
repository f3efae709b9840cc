import './player.css';
import type { Stream } from '@stagedoor/contract/pictures.ts';
import { type MouseEvent, useEffect, useEffectEvent, useState } from 'react';
import { formatDuration, formatPosition } from '../../kernel/dates.ts';
import { pictureProps } from '../../kernel/pictures.ts';
import { Picture } from '../../ui/picture.tsx';
import { pauseOutOfView, playAlone } from './alone.ts';
import { act, applyHabits, seekTo, toggleFullscreen, togglePlay } from './commands.ts';
import { actionOf, isAnsweredBy } from './keys.ts';
import type { MediaPlayerProps } from './media-player.tsx';
import { useMediaSession } from './media-session.ts';
import { Notes } from './notes.tsx';
import { Scrubber } from './scrubber.tsx';
import { useCaptions } from './use-captions.ts';
import { useIdle } from './use-idle.ts';
import { type Playback, usePlayback } from './use-playback.ts';
import { isRemembered, useSavedPosition } from './use-position.ts';
import { type Source, useSource } from './use-source.ts';
import { useFullscreen, VideoButtons } from './video-buttons.tsx';

export type VideoPlayerProps = MediaPlayerProps & {
  stream: Stream;
  /** Seconds. */
  startAt: number;
};

const FLASH_MS = 1_200;

export function useFlash(): [string, (words: string | undefined) => void] {
  const [words, setWords] = useState('');
  useEffect(() => {
    if (words === '') return;
    const timer = setTimeout(() => setWords(''), FLASH_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return [words, (said) => said && setWords(said)];
}

export function usePlayer(element: HTMLMediaElement | null, props: VideoPlayerProps): [Playback, Source] {
  const { media, stream, startAt, renew, pausesOutOfView } = props;
  const remembers = props.isRemembered && isRemembered(media.durationSeconds);
  const playback = usePlayback(element);
  useSavedPosition(element, remembers ? media.id : undefined);
  useMediaSession(element, { title: props.title, artist: props.artist, picture: media.picture });
  useEffect(() => {
    if (!element) return;
    applyHabits(element);
    const ends = [playAlone(element), pausesOutOfView ? pauseOutOfView(element) : undefined];
    return () => {
      for (const end of ends) end?.();
    };
  }, [element, pausesOutOfView]);
  return [playback, useSource(element, stream, { startAt, renew })];
}

export function useKeys(
  frame: HTMLElement | null,
  element: HTMLMediaElement | null,
  on: { said: (words: string | undefined) => void; fullscreen?: () => void; captions?: () => void },
): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = actionOf(event);
    if (!action || !element || !(event.target instanceof Element) || isAnsweredBy(event.target, event.key)) return;
    event.preventDefault();
    if (action.kind === 'fullscreen') on.fullscreen?.();
    else if (action.kind === 'captions') on.captions?.();
    else on.said(act(element, action));
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    frame?.addEventListener('keydown', listen);
    return () => frame?.removeEventListener('keydown', listen);
  }, [frame]);
}

const isTouch = ({ nativeEvent }: MouseEvent) =>
  nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';

export function VideoPlayer(props: VideoPlayerProps) {
  const { media, stream, title, sizes, startAt } = props;
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [playback, source] = usePlayer(video, props);
  const [flash, said] = useFlash();
  const captions = useCaptions(video, stream.captions);
  const isFullscreen = useFullscreen(frame);
  const isPlaying = !playback.isPaused && !playback.isEnded;
  const idle = useIdle(frame, isPlaying);
  const duration = playback.duration || (media.durationSeconds ?? 0);
  const fullscreen = () => {
    if (frame && video) toggleFullscreen(frame, video).catch(() => undefined);
  };
  useKeys(frame, video, { said, fullscreen, captions: () => said(captions.toggle()) });
  // The pressed play button was removed, so the frame takes the focus and the keys keep working.
  useEffect(() => frame?.focus({ preventScroll: true }), [frame]);
  const press = (event: MouseEvent) => {
    if (isTouch(event)) idle.toggle();
    else if (video) togglePlay(video);
  };
  return (
    <section
      ref={setFrame}
      tabIndex={-1}
      className="player"
      aria-label={`Video: ${title}`}
      data-idle={idle.isIdle ? '' : undefined}
      data-theme={isFullscreen ? 'dark' : undefined}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: with captions where they are given */}
      <video
        ref={setVideo}
        className="player__video"
        playsInline
        preload="metadata"
        onClick={press}
        onDoubleClick={fullscreen}
      >
        {stream.captions.map(({ language, label, url }) => (
          <track key={language} kind="captions" src={url} srcLang={language} label={label} />
        ))}
      </video>
      {!playback.hasFrame && (
        <Picture
          {...pictureProps(media.picture, sizes, { ratio: 'auto', priority: true })}
          alt=""
          empty={null}
          className="player__poster"
        />
      )}
      <Notes
        playback={playback}
        source={source}
        flash={flash}
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
          {...{ video, playback, source, captions, isFullscreen, said }}
          tracks={stream.captions}
          onFullscreen={fullscreen}
          times={[formatPosition(playback.time || startAt, duration), formatDuration(duration)]}
        />
      </div>
    </section>
  );
}
