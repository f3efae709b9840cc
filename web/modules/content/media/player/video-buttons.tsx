import type { CaptionTrack } from '@stagedoor/contract/content/pictures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useEffect, useState } from 'react';
import { Icon, type IconName } from '../../../../ui/icon.tsx';
import * as texts from '../texts.ts';
import { setRate, setVolume, toggleMuted, togglePictureInPicture, togglePlay } from './commands.ts';
import { PlayerMenu } from './player-menu.tsx';
import { PLAYBACK_RATES } from './player-settings.ts';
import type { CaptionsControl } from './use-captions.ts';
import type { Playback } from './use-playback.ts';
import type { PlayerSource } from './use-source.ts';

export function useFullscreen(frame: HTMLElement | null): boolean {
  const [isFullscreen, setIsFullscreen] = useState(false);
  useEffect(() => {
    const change = () => setIsFullscreen(frame !== null && document.fullscreenElement === frame);
    document.addEventListener('fullscreenchange', change);
    return () => document.removeEventListener('fullscreenchange', change);
  }, [frame]);
  return isFullscreen;
}

export function PlayerButton({
  icon,
  label,
  isFilled,
  className = '',
  ...rest
}: { icon: IconName; label: string; isFilled?: boolean } & React.ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} className={`player__btn ${className}`} aria-label={label}>
      <Icon name={icon} {...(isFilled && { className: 'icon--filled' })} />
    </button>
  );
}

export function PlayButton({ element, playback }: { element: HTMLMediaElement | null; playback: Playback }) {
  const [icon, label]: [IconName, string] = playback.isEnded
    ? ['refresh', texts.playAgain]
    : playback.isPaused
      ? ['play', texts.play]
      : ['pause', texts.pause];
  return (
    <PlayerButton icon={icon} label={label} isFilled={icon === 'play'} onClick={() => element && togglePlay(element)} />
  );
}

export function VolumeControl({ element, playback }: { element: HTMLMediaElement | null; playback: Playback }) {
  const { isMuted, volume } = playback;
  return (
    <span className="player__volume">
      <PlayerButton
        icon={isMuted ? 'sound-off' : 'sound'}
        label={isMuted ? texts.unmute : texts.mute}
        onClick={() => element && toggleMuted(element)}
      />
      <input
        type="range"
        className="player__range"
        aria-label={texts.volume}
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : volume}
        aria-valuetext={`${Math.round((isMuted ? 0 : volume) * 100)} %`}
        onChange={(event) => element && setVolume(element, Number(event.currentTarget.value))}
      />
    </span>
  );
}

export function SpeedMenu({ element, playback }: { element: HTMLMediaElement | null; playback: Playback }) {
  return (
    <PlayerMenu
      label={texts.speed}
      buttonContent={`${playback.rate}×`}
      choices={PLAYBACK_RATES.map((rate) => ({ value: String(rate), label: `${rate}×` }))}
      value={String(playback.rate)}
      onChoose={(value) => element && setRate(element, Number(value))}
    />
  );
}

function QualityMenu({ source }: { source: PlayerSource }) {
  const { qualities, selectedHeight, playingHeight } = source;
  if (qualities.length < 2) return null;
  const autoLabel =
    selectedHeight === null && playingHeight ? formatText(texts.autoQuality, { playingHeight }) : texts.auto;
  return (
    <PlayerMenu
      label={texts.quality}
      buttonContent={selectedHeight === null ? texts.auto : `${selectedHeight}p`}
      choices={[
        { value: '', label: autoLabel },
        ...qualities.map((height) => ({ value: String(height), label: `${height}p` })),
      ]}
      value={selectedHeight === null ? '' : String(selectedHeight)}
      onChoose={(value) => source.choose(value === '' ? null : Number(value))}
    />
  );
}

function CaptionsMenu({ tracks, captions }: { tracks: readonly CaptionTrack[]; captions: CaptionsControl }) {
  if (tracks.length === 0) return null;
  return (
    <PlayerMenu
      label={texts.captions}
      buttonContent={<Icon name="captions" className={captions.language === '' ? '' : 'player__on'} />}
      choices={[{ value: '', label: texts.off }, ...tracks.map(({ language, label }) => ({ value: language, label }))]}
      value={captions.language}
      onChoose={captions.choose}
    />
  );
}

export type VideoButtonsProps = {
  video: HTMLVideoElement | null;
  playback: Playback;
  source: PlayerSource;
  captions: CaptionsControl;
  tracks: readonly CaptionTrack[];
  isFullscreen: boolean;
  announce: (message: string | undefined) => void;
  onFullscreen: () => void;
  times: readonly [string, string];
};

export function VideoButtons(props: VideoButtonsProps) {
  const { video, playback, source, captions, tracks, isFullscreen, onFullscreen, times } = props;
  const hasPictureInPicture = document.pictureInPictureEnabled && video !== null && 'requestPictureInPicture' in video;
  return (
    <div className="player__row">
      <PlayButton element={video} playback={playback} />
      <span className="player__time num">
        {times[0]}
        <span className="player__whole"> / {times[1]}</span>
      </span>
      <VolumeControl element={video} playback={playback} />
      <CaptionsMenu tracks={tracks} captions={captions} />
      <SpeedMenu element={video} playback={playback} />
      <QualityMenu source={source} />
      {hasPictureInPicture && (
        <PlayerButton
          icon="pip"
          label={texts.pictureInPicture}
          className="player__wide"
          onClick={() => togglePictureInPicture(video).catch(() => props.announce(texts.notAvailableOnThisDevice))}
        />
      )}
      <PlayerButton
        icon={isFullscreen ? 'shrink' : 'expand'}
        label={isFullscreen ? texts.exitFullScreen : texts.fullScreen}
        onClick={onFullscreen}
      />
    </div>
  );
}
