import type { Picture, Stream } from '@stagedoor/contract/content/pictures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useEffect, useId, useState } from 'react';
import { formatDuration } from '../../../../platform/dates.ts';
import { Button } from '../../../../ui/button.tsx';
import * as texts from '../texts.ts';
import { goTo } from './commands.ts';
import { toFrameStyle } from './scrubber.tsx';
import { SeekPreview } from './seek-preview.tsx';
import { createInitialRange, moveRange, type TeaserRange } from './teaser-range.ts';
import { Waveform } from './waveform.tsx';

export type TeaserPickerProps = {
  stream: Stream;
  picture: Picture;
  kind: 'video' | 'audio';
  durationSeconds: number;
  value: TeaserRange | null;
  isBusy: boolean;
  onSave: (range: TeaserRange | null) => void;
};

const STRIP_FRAMES = 8;
const formatPercent = (part: number, whole: number) => `${(part / whole) * 100}%`;

function FrameStrip({ stream, duration, range }: { stream: Stream; duration: number; range: TeaserRange }) {
  const { sprite } = stream;
  return (
    <div className="relative h-14 overflow-hidden bg-surface-2" aria-hidden="true">
      {sprite ? (
        <div className="absolute inset-0 grid grid-cols-8 overflow-hidden">
          {Array.from({ length: STRIP_FRAMES }, (_, index) => {
            const second = ((index + 0.5) / STRIP_FRAMES) * duration;
            return (
              <span key={second} className="grid place-items-center overflow-hidden">
                <span className="block" style={toFrameStyle(sprite, second)} />
              </span>
            );
          })}
        </div>
      ) : (
        <Waveform values={stream.waveform} played={1} />
      )}
      <span
        className="absolute inset-y-0 left-0 bg-surface-0/75"
        style={{ width: formatPercent(range.start, duration) }}
      />
      <span
        className="absolute inset-y-0 right-0 bg-surface-0/75"
        style={{ left: formatPercent(range.end, duration) }}
      />
      <span
        className="absolute inset-y-0 border-2 border-ink"
        style={{ left: formatPercent(range.start, duration), right: formatPercent(duration - range.end, duration) }}
      />
    </div>
  );
}

function RangeSlider({
  label,
  value,
  duration,
  onMove,
}: {
  label: string;
  value: number;
  duration: number;
  onMove: (second: number) => void;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="flex justify-between text-small">
        <span className="font-semibold">{label}</span>
        <span className="text-muted tabular-nums">{formatDuration(value)}</span>
      </label>
      <input
        id={id}
        type="range"
        className="h-11 w-full accent-ink"
        min={0}
        max={duration}
        step={0.5}
        value={value}
        aria-valuetext={formatDuration(value)}
        onChange={(event) => onMove(Number(event.currentTarget.value))}
      />
    </div>
  );
}

function useTeaserPlayback(element: HTMLMediaElement | null, { start, end }: TeaserRange) {
  const [isPlaying, setIsPlaying] = useState(false);
  useEffect(() => {
    if (!element || !isPlaying) return;
    const stop = () => setIsPlaying(false);
    const watch = () => element.currentTime >= end && element.pause();
    goTo(element, start);
    element.play().catch(stop);
    element.addEventListener('timeupdate', watch);
    element.addEventListener('pause', stop);
    return () => {
      element.removeEventListener('timeupdate', watch);
      element.removeEventListener('pause', stop);
      element.pause();
    };
  }, [element, isPlaying, start, end]);
  return { isPlaying, toggle: () => setIsPlaying((before) => !before) };
}

export function TeaserPicker(props: TeaserPickerProps) {
  const { stream, picture, kind, durationSeconds: duration, value, isBusy, onSave } = props;
  const [range, setRange] = useState(() => value ?? createInitialRange(duration));
  const [element, setElement] = useState<HTMLMediaElement | null>(null);
  const teaserPlayback = useTeaserPlayback(element, range);
  const move = (change: Partial<TeaserRange>) => {
    const next = moveRange(range, change, duration);
    setRange(next);
    if (element && !teaserPlayback.isPlaying) goTo(element, change.end === undefined ? next.start : next.end);
  };
  const isSaved = value?.start === range.start && value.end === range.end;
  return (
    <div className="grid gap-3">
      <SeekPreview stream={stream} picture={picture} kind={kind} label={texts.freePreview} onElement={setElement} />
      <FrameStrip stream={stream} duration={duration} range={range} />
      <div className="form__pair">
        <RangeSlider
          label={texts.startsAt}
          value={range.start}
          duration={duration}
          onMove={(start) => move({ start })}
        />
        <RangeSlider label={texts.endsAt} value={range.end} duration={duration} onMove={(end) => move({ end })} />
      </div>
      <p className="text-small text-muted tabular-nums" role="status">
        {formatText(texts.previewLength, { length: formatDuration(range.end - range.start) })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon={teaserPlayback.isPlaying ? 'pause' : 'play'} onClick={teaserPlayback.toggle}>
          {teaserPlayback.isPlaying ? texts.stop : texts.playPreview}
        </Button>
        <Button variant="ink" busy={isBusy} busyText={texts.saving} disabled={isSaved} onClick={() => onSave(range)}>
          {isSaved ? texts.freePreviewSaved : texts.saveFreePreview}
        </Button>
        {value && (
          <Button variant="quiet" disabled={isBusy} onClick={() => onSave(null)}>
            {texts.removeFreePreview}
          </Button>
        )}
      </div>
    </div>
  );
}
