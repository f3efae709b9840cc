import './player.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type PointerEvent, useEffect, useState } from 'react';
import { formatDuration, formatPosition } from '../../../../platform/dates.ts';
import { Icon } from '../../../../ui/icon.tsx';
import * as texts from '../texts.ts';
import { AudioFrame, PLAY_BUTTON } from './audio-preview.tsx';
import { seekTo, togglePlay } from './commands.ts';
import { PROBLEM_MESSAGES, usePlaybackProblem } from './player-status.tsx';
import { toSliderProps } from './scrubber.tsx';
import type { Playback } from './use-playback.ts';
import type { PlayerSource } from './use-source.ts';
import { SpeedMenu, VolumeControl } from './video-buttons.tsx';
import { useAnnouncement, usePlayer, usePlayerKeys, type VideoPlayerProps } from './video-player.tsx';
import { Waveform } from './waveform.tsx';

function WaveScrubber({
  time,
  duration,
  values,
  onSeek,
}: {
  time: number;
  duration: number;
  values: readonly number[];
  onSeek: (seconds: number) => void;
}) {
  const seek = ({ currentTarget, clientX, buttons }: PointerEvent<HTMLElement>) => {
    if (buttons !== 1) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    onSeek(((clientX - left) / width) * duration);
  };
  return (
    <div
      className="absolute inset-0 cursor-pointer touch-none"
      {...toSliderProps(time, duration)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event);
      }}
      onPointerMove={seek}
    >
      <Waveform values={values} played={duration > 0 ? time / duration : 0} />
    </div>
  );
}

type PlaybackErrorProps = { source: PlayerSource; playback: Playback; onEnded: (() => void) | undefined };

function PlaybackError({ source, playback, onEnded }: PlaybackErrorProps) {
  const problem = usePlaybackProblem(source, playback);
  if (!problem) return null;
  const [label, onPress] =
    problem === 'ended'
      ? [texts.viewDetails, onEnded]
      : problem === 'offline'
        ? ['', undefined]
        : [texts.tryAgain, source.retry];
  return (
    <span role="alert" className="text-ink">
      {PROBLEM_MESSAGES[problem]}{' '}
      {onPress && (
        <button type="button" className="link relative after:absolute after:-inset-3" onClick={onPress}>
          {label}
        </button>
      )}
    </span>
  );
}

export function AudioPlayer(props: VideoPlayerProps) {
  const { media, stream, title, startAt, isCompact } = props;
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [playback, source] = usePlayer(audio, frame, props);
  const [announcement, announce] = useAnnouncement();
  usePlayerKeys(frame, audio, { announce });
  useEffect(() => frame?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true }), [frame]);
  const time = playback.time || startAt;
  const duration = playback.duration || (media.durationSeconds ?? 0);
  const label = playback.isEnded ? texts.playAgain : playback.isPaused ? texts.play : texts.pause;
  return (
    <section ref={setFrame} aria-label={formatText(texts.audioTitle, { title })}>
      {/* biome-ignore lint/a11y/useMediaCaption: an audio shows no captions of its own */}
      <audio ref={setAudio} preload="metadata" />
      <AudioFrame
        {...props}
        button={
          <button type="button" className={PLAY_BUTTON} aria-label={label} onClick={() => audio && togglePlay(audio)}>
            {playback.isWaiting ? (
              <span className="spinner" />
            ) : (
              <Icon
                name={playback.isEnded ? 'refresh' : playback.isPaused ? 'play' : 'pause'}
                {...(playback.isPaused && !playback.isEnded && { className: 'icon--filled' })}
              />
            )}
          </button>
        }
        wave={
          <WaveScrubber
            time={time}
            duration={duration}
            values={stream.waveform}
            onSeek={(seconds) => audio && seekTo(audio, seconds)}
          />
        }
        line={
          <>
            <span className="text-ink">{formatPosition(time, duration)}</span>
            <span>{formatDuration(duration)}</span>
            <span role="status">{announcement}</span>
            <PlaybackError source={source} playback={playback} onEnded={props.onEnded} />
            {!isCompact && (
              <span className="-my-2 ml-auto flex items-center text-ink">
                <VolumeControl element={audio} playback={playback} />
                <SpeedMenu element={audio} playback={playback} />
              </span>
            )}
          </>
        }
      />
    </section>
  );
}
