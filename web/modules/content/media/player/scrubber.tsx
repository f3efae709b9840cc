import type { Stream } from '@stagedoor/contract/content/pictures.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { type CSSProperties, type PointerEvent, useState } from 'react';
import { formatDuration, formatPosition } from '../../../../platform/dates.ts';
import * as texts from '../texts.ts';

export type StreamSprite = NonNullable<Stream['sprite']>;

const FRAME_PX = 160;
const TIME_LABEL_PX = 72;

export function toFrameStyle(sprite: StreamSprite, seconds: number, widthPx = FRAME_PX): CSSProperties {
  const index = Math.min(sprite.count - 1, Math.max(0, Math.floor(seconds / sprite.interval)));
  const height = Math.round((widthPx * sprite.frameHeight) / sprite.frameWidth);
  const rows = Math.ceil(sprite.count / sprite.columns);
  return {
    width: widthPx,
    height,
    backgroundImage: `url("${sprite.url}")`,
    backgroundSize: `${widthPx * sprite.columns}px ${height * rows}px`,
    backgroundPosition: `${-(index % sprite.columns) * widthPx}px ${-Math.floor(index / sprite.columns) * height}px`,
  };
}

export function toSliderProps(time: number, duration: number) {
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': texts.position,
    'aria-valuemin': 0,
    'aria-valuemax': Math.floor(duration),
    'aria-valuenow': Math.floor(time),
    'aria-valuetext': formatText(texts.positionOfDuration, {
      second: formatPosition(time, duration),
      durationSeconds: formatDuration(duration),
    }),
  } as const;
}

export type ScrubberProps = {
  time: number;
  duration: number;
  buffered: readonly (readonly [number, number])[];
  sprite: StreamSprite | null;
  onSeek: (seconds: number) => void;
};

const formatPercent = (part: number, whole: number) => `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

function useScrub(duration: number, onSeek: (seconds: number) => void) {
  const [hoveredSeconds, setHoveredSeconds] = useState<number>();
  const [isDragging, setIsDragging] = useState(false);
  const getSecondAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width)) * duration;
  };
  return {
    hoveredSeconds,
    draggedSeconds: isDragging ? hoveredSeconds : undefined,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setIsDragging(true);
        setHoveredSeconds(getSecondAt(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => setHoveredSeconds(getSecondAt(event)),
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!isDragging) return;
        setIsDragging(false);
        if (event.pointerType === 'touch') setHoveredSeconds(undefined);
        onSeek(getSecondAt(event));
      },
      onPointerLeave: () => !isDragging && setHoveredSeconds(undefined),
      onPointerCancel: () => {
        setIsDragging(false);
        setHoveredSeconds(undefined);
      },
    },
  };
}

export function Scrubber({ time, duration, buffered, sprite, onSeek }: ScrubberProps) {
  const { hoveredSeconds, draggedSeconds, handlers } = useScrub(duration, onSeek);
  const displayedTime = draggedSeconds ?? time;
  const halfWidth = (sprite ? FRAME_PX : TIME_LABEL_PX) / 2;
  return (
    <div className="scrub" {...toSliderProps(displayedTime, duration)} {...handlers}>
      <span className="scrub__line">
        {buffered.map(([from, to]) => (
          <span
            key={from}
            className="scrub__there"
            style={{ left: formatPercent(from, duration), width: formatPercent(to - from, duration) }}
          />
        ))}
        <span className="scrub__played" style={{ width: formatPercent(displayedTime, duration) }} />
      </span>
      {hoveredSeconds !== undefined && duration > 0 && (
        <span
          className="scrub__peek"
          style={{ left: `clamp(${halfWidth}px, ${formatPercent(hoveredSeconds, duration)}, 100% - ${halfWidth}px)` }}
          aria-hidden="true"
        >
          {sprite && <span className="scrub__frame" style={toFrameStyle(sprite, hoveredSeconds)} />}
          <span className="num">{formatDuration(hoveredSeconds)}</span>
        </span>
      )}
    </div>
  );
}
