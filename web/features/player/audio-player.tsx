import './player.css';
import { type PointerEvent, useEffect, useState } from 'react';
import { formatDuration, formatPosition } from '../../kernel/dates.ts';
import { Icon } from '../../ui/icon.tsx';
import { AudioFrame, PLAY_BUTTON } from './audio-face.tsx';
import { seekTo, togglePlay } from './commands.ts';
import { TROUBLE_WORDS, useTrouble } from './notes.tsx';
import { positionSlider } from './scrubber.tsx';
import type { Playback } from './use-playback.ts';
import type { Source } from './use-source.ts';
import { Speed, Volume } from './video-buttons.tsx';
import { useFlash, useKeys, usePlayer, type VideoPlayerProps } from './video-player.tsx';
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
      {...positionSlider(time, duration)}
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

type TroubleProps = { source: Source; playback: Playback; onEnded: (() => void) | undefined };

function Trouble({ source, playback, onEnded }: TroubleProps) {
  const trouble = useTrouble(source, playback);
  if (!trouble) return null;
  const [words, press] =
    trouble === 'ended'
      ? ['View details', onEnded]
      : trouble === 'offline'
        ? ['', undefined]
        : ['Try again', source.retry];
  return (
    <span role="alert" className="text-ink">
      {TROUBLE_WORDS[trouble]}{' '}
      {press && (
        <button type="button" className="link relative after:absolute after:-inset-3" onClick={press}>
          {words}
        </button>
      )}
    </span>
  );
}

export function AudioPlayer(props: VideoPlayerProps) {
  const { media, stream, title, startAt, isCompact } = props;
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [playback, source] = usePlayer(audio, props);
  const [flash, said] = useFlash();
  useKeys(frame, audio, { said });
  useEffect(() => frame?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true }), [frame]);
  const time = playback.time || startAt;
  const duration = playback.duration || (media.durationSeconds ?? 0);
  const label = playback.isEnded ? 'Play again' : playback.isPaused ? 'Play' : 'Pause';
  return (
    <section ref={setFrame} aria-label={`Audio: ${title}`}>
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
            <span role="status">{flash}</span>
            <Trouble source={source} playback={playback} onEnded={props.onEnded} />
            {!isCompact && (
              <span className="-my-2 ml-auto flex items-center text-ink">
                <Volume element={audio} playback={playback} />
                <Speed element={audio} playback={playback} />
              </span>
            )}
          </>
        }
      />
    </section>
  );
}
