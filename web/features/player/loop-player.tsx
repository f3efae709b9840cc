/** A silent looping video that plays while it is in view, with one pause button. Loaded on first use. */
import './player.css';
import { useEffect, useEffectEvent, useState } from 'react';
import { pictureProps } from '../../kernel/pictures.ts';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { togglePlay } from './commands.ts';
import { Notes } from './notes.tsx';
import { usePlayback } from './use-playback.ts';
import { useSource } from './use-source.ts';
import type { VideoPlayerProps } from './video-player.tsx';

function usePlaysInView(video: HTMLVideoElement | null, isHeld: boolean): void {
  const see = useEffectEvent((isSeen: boolean) => {
    if (!isSeen) video?.pause();
    else if (!isHeld) video?.play().catch(() => undefined);
  });
  useEffect(() => {
    if (!video) return;
    const observer = new IntersectionObserver((entries) => see(entries.at(-1)?.isIntersecting === true));
    observer.observe(video);
    return () => observer.disconnect();
  }, [video]);
}

export function LoopPlayer({ media, stream, title, sizes, renew, onEnded }: VideoPlayerProps) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  const playback = usePlayback(video);
  const source = useSource(video, stream, { startAt: 0, renew });
  usePlaysInView(video, isHeld);
  const toggle = () => {
    if (!video) return;
    setIsHeld(!video.paused);
    togglePlay(video);
  };
  return (
    <section className="player" aria-label={`Animation: ${title}`}>
      <video ref={setVideo} className="player__video" muted loop playsInline preload="auto" aria-label={title} />
      {!playback.hasFrame && (
        <Picture
          {...pictureProps(media.picture, sizes, { ratio: 'auto', priority: true })}
          alt=""
          empty={null}
          className="player__poster"
        />
      )}
      <button
        type="button"
        className="absolute inset-0 grid content-end justify-items-start focus-visible:-outline-offset-4"
        aria-label={`${playback.isPaused ? 'Play' : 'Pause'} ${title}`}
        onClick={toggle}
      >
        {isHeld && (
          <span className="grid size-14 place-items-center bg-surface-0 text-ink">
            <Icon name="play" className="icon--filled" />
          </span>
        )}
      </button>
      <Notes
        playback={playback}
        source={source}
        flash=""
        startedAt={0}
        onStartOver={() => undefined}
        onEnded={onEnded}
      />
    </section>
  );
}
