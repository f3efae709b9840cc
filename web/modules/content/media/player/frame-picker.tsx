import type { Picture, Stream } from '@stagedoor/contract/content/pictures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { formatDuration } from '../../../../platform/dates.ts';
import { Button } from '../../../../ui/button.tsx';
import * as texts from '../texts.ts';
import { goTo } from './commands.ts';
import { SeekPreview } from './seek-preview.tsx';

export type FramePickerProps = {
  stream: Stream;
  picture: Picture;
  durationSeconds: number;
  isBusy: boolean;
  /** Seconds. */
  onPick: (second: number) => void;
  children?: ReactNode;
};

const STEP_SECONDS = 0.04;

export function FramePicker({ stream, picture, durationSeconds, isBusy, onPick, children }: FramePickerProps) {
  const id = useId();
  const [element, setElement] = useState<HTMLMediaElement | null>(null);
  const [second, setSecond] = useState(0);
  const last = Math.max(0, durationSeconds - STEP_SECONDS);
  useEffect(() => {
    if (element) goTo(element, second);
  }, [element, second]);
  return (
    <div className="grid gap-3">
      <SeekPreview stream={stream} picture={picture} kind="video" label={texts.selectedFrame} onElement={setElement} />
      <label htmlFor={id} className="flex justify-between text-small">
        <span className="font-semibold">{texts.frame}</span>
        <span className="text-muted tabular-nums">
          {formatText(texts.positionOfDuration, {
            second: formatDuration(second),
            durationSeconds: formatDuration(durationSeconds),
          })}
        </span>
      </label>
      <input
        id={id}
        type="range"
        className="h-11 w-full accent-ink"
        min={0}
        max={last}
        step={STEP_SECONDS}
        value={second}
        aria-valuetext={formatDuration(second)}
        onChange={(event) => setSecond(Number(event.currentTarget.value))}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={isBusy} busyText={texts.saving} onClick={() => onPick(Math.round(second * 100) / 100)}>
          {texts.useThisFrame}
        </Button>
        {children}
      </div>
    </div>
  );
}
