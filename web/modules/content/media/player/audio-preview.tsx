import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ReactNode } from 'react';
import { formatDuration } from '../../../../platform/dates.ts';
import { toPictureProps } from '../../../../platform/pictures.ts';
import { cx } from '../../../../ui/class-names.ts';
import { Icon } from '../../../../ui/icon.tsx';
import { Picture, PictureBadge } from '../../../../ui/picture.tsx';
import * as texts from '../texts.ts';
import type { MediaPlayerProps } from './player-props.ts';
import { Waveform } from './waveform.tsx';

export type AudioFrameProps = {
  media: MediaPlayerProps['media'];
  sizes: string;
  isCompact?: boolean | undefined;
  isPriority?: boolean | undefined;
  className?: string | undefined;
  /** 56 px. */
  button: ReactNode;
  /** 56 px high. */
  wave: ReactNode;
  line: ReactNode;
  price?: ReactNode;
};

/** Rich: the cover with the player below. Compact: one row with a small cover. */
export function AudioFrame(props: AudioFrameProps) {
  const { media, sizes, isCompact, isPriority, className, button, wave, line, price } = props;
  const { picture } = media;
  return (
    <div className={cx('bg-surface-1', isCompact && 'grid grid-cols-[auto_minmax(0,1fr)]', className)}>
      {picture.url !== '' && (
        <Picture
          {...toPictureProps(picture, isCompact ? '128px' : sizes, {
            ratio: isCompact ? 'auto' : undefined,
            priority: isPriority,
          })}
          alt=""
          empty={null}
          className={isCompact ? 'h-full w-32 max-sm:w-24' : 'mx-auto w-full max-w-[70svh]'}
        >
          {price && <PictureBadge icon="lock">{price}</PictureBadge>}
        </Picture>
      )}
      <div className={cx('flex items-center gap-4 px-4 py-4', picture.url === '' && isCompact && 'col-span-2')}>
        {button}
        <div className="min-w-0 flex-1">
          <div className="relative h-14">{wave}</div>
          <div className="flex min-h-7 flex-wrap items-center gap-x-3 text-small text-muted tabular-nums">{line}</div>
        </div>
      </div>
    </div>
  );
}

export type AudioPreviewProps = MediaPlayerProps & {
  position: number | undefined;
  isBusy: boolean;
  onStart: (at: number) => void;
  onIntent: () => void;
};

export const PLAY_BUTTON = 'grid size-14 flex-none place-items-center rounded-full bg-ink text-surface-0';

/** The audio before playback. A press on the waveform starts there. */
export function AudioPreview(props: AudioPreviewProps) {
  const { media, title, position, isBusy, label, onStart, onIntent } = props;
  const { stream, durationSeconds } = media;
  const length = durationSeconds === null ? '' : formatDuration(durationSeconds);
  if (!stream)
    return <AudioFrame {...props} button={null} wave={<Waveform values={[]} played={0} />} line={texts.processing} />;
  return (
    <AudioFrame
      {...props}
      button={
        <button
          type="button"
          className={PLAY_BUTTON}
          aria-label={formatText(texts.playAudio, {
            title,
            resumeNote:
              position === undefined ? '' : formatText(texts.resumeNote, { position: formatDuration(position) }),
            label: label ?? length,
          })}
          aria-busy={isBusy}
          onPointerEnter={onIntent}
          onFocus={onIntent}
          onClick={() => onStart(position ?? 0)}
        >
          {isBusy ? <span className="spinner" /> : <Icon name="play" className="icon--filled" />}
        </button>
      }
      wave={
        <button
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className="absolute inset-0"
          onPointerEnter={onIntent}
          onClick={({ currentTarget, clientX }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            onStart(((clientX - left) / width) * (durationSeconds ?? 0));
          }}
        >
          <Waveform values={stream.waveform} played={position && durationSeconds ? position / durationSeconds : 0} />
        </button>
      }
      line={
        <>
          <span>{label ?? length}</span>
          {position !== undefined && (
            <>
              <span>{formatText(texts.resumeAt, { position: formatDuration(position) })}</span>
              <button type="button" className="link relative after:absolute after:-inset-3" onClick={() => onStart(0)}>
                {texts.startOver}
              </button>
            </>
          )}
        </>
      }
    />
  );
}
