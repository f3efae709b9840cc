/** A silent looping video that plays while it is in view, with one pause button. Loaded on first use. */
import './player.css';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { Picture } from '../../../../ui/picture.tsx';
import * as texts from '../texts.ts';
import { togglePlay } from './commands.ts';
import { PlayerStatus } from './player-status.tsx';
import { usePlayback } from './use-playback.ts';
import { useSource } from './use-source.ts';
import type { VideoPlayerProps } from './video-player.tsx';

function usePlayInView(video: HTMLVideoElement | null, isPausedByUser: boolean): void {
  const updatePlayback = useEffectEvent((isVisible: boolean) => {
    if (!isVisible) video?.pause();
    else if (!isPausedByUser) video?.play().catch(() => undefined);
  });
  useEffect(() => {
    if (!video) return;
    const observer = new IntersectionObserver((entries) => updatePlayback(entries.at(-1)?.isIntersecting === true));
    observer.observe(video);
    return () => observer.disconnect();
  }, [video]);
}

export function LoopPlayer({ media, stream, title, sizes, renew, onEnded }: VideoPlayerProps) {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [isPausedByUser, setIsPausedByUser] = useState(false);
  const playback = usePlayback(video);
  const source = useSource(video, stream, { startAt: 0, renew });
  usePlayInView(video, isPausedByUser);
  const toggle = () => {
    if (!video) return;
    setIsPausedByUser(!video.paused);
    togglePlay(video);
  };
  return (
    <section className="player" aria-label={formatText(texts.animationTitle, { title })}>
      <video ref={setVideo} className="player__video" muted loop playsInline preload="auto" aria-label={title} />
      {!playback.hasFrame && (
        <Picture
          {...toPictureProps(media.picture, sizes, { ratio: 'auto', priority: true })}
          alt=""
          empty={null}
          className="player__poster"
        />
      )}
      <button
        type="button"
        className="absolute inset-0 grid content-end justify-items-start focus-visible:-outline-offset-4"
        aria-label={`${playback.isPaused ? texts.play : texts.pause} ${title}`}
        onClick={toggle}
      >
        {isPausedByUser && (
          <span className="grid size-14 place-items-center bg-surface-0 text-ink">
            <Icon name="play" className="icon--filled" />
          </span>
        )}
      </button>
      <PlayerStatus
        playback={playback}
        source={source}
        announcement=""
        startedAt={0}
        onStartOver={() => undefined}
        onEnded={onEnded}
      />
    </section>
  );
}
