import type { Stream } from '@stagedoor/contract/pictures.ts';
import { type CSSProperties, type PointerEvent, useState } from 'react';
import { formatDuration, formatPosition } from '../../kernel/dates.ts';

export type Sprite = NonNullable<Stream['sprite']>;

const FRAME_PX = 160;
const WORDS_PX = 72;

export function frameStyle(sprite: Sprite, seconds: number, shownPx = FRAME_PX): CSSProperties {
  const index = Math.min(sprite.count - 1, Math.max(0, Math.floor(seconds / sprite.interval)));
  const height = Math.round((shownPx * sprite.frameHeight) / sprite.frameWidth);
  const rows = Math.ceil(sprite.count / sprite.columns);
  return {
    width: shownPx,
    height,
    backgroundImage: `url("${sprite.url}")`,
    backgroundSize: `${shownPx * sprite.columns}px ${height * rows}px`,
    backgroundPosition: `${-(index % sprite.columns) * shownPx}px ${-Math.floor(index / sprite.columns) * height}px`,
  };
}

export function positionSlider(time: number, duration: number) {
  return {
    role: 'slider',
    tabIndex: 0,
    'aria-label': 'Position',
    'aria-valuemin': 0,
    'aria-valuemax': Math.floor(duration),
    'aria-valuenow': Math.floor(time),
    'aria-valuetext': `${formatPosition(time, duration)} of ${formatDuration(duration)}`,
  } as const;
}

export type ScrubberProps = {
  time: number;
  duration: number;
  buffered: readonly (readonly [number, number])[];
  sprite: Sprite | null;
  onSeek: (seconds: number) => void;
};

const share = (part: number, whole: number) => `${whole > 0 ? Math.min(100, (part / whole) * 100) : 0}%`;

function useScrub(duration: number, onSeek: (seconds: number) => void) {
  const [pointed, setPointed] = useState<number>();
  const [isHeld, setIsHeld] = useState(false);
  const secondAt = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - left) / width)) * duration;
  };
  return {
    pointed,
    held: isHeld ? pointed : undefined,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setIsHeld(true);
        setPointed(secondAt(event));
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => setPointed(secondAt(event)),
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!isHeld) return;
        setIsHeld(false);
        if (event.pointerType === 'touch') setPointed(undefined);
        onSeek(secondAt(event));
      },
      onPointerLeave: () => !isHeld && setPointed(undefined),
      onPointerCancel: () => {
        setIsHeld(false);
        setPointed(undefined);
      },
    },
  };
}

export function Scrubber({ time, duration, buffered, sprite, onSeek }: ScrubberProps) {
  const { pointed, held, handlers } = useScrub(duration, onSeek);
  const shown = held ?? time;
  const half = (sprite ? FRAME_PX : WORDS_PX) / 2;
  return (
    <div className="scrub" {...positionSlider(shown, duration)} {...handlers}>
      <span className="scrub__line">
        {buffered.map(([from, to]) => (
          <span
            key={from}
            className="scrub__there"
            style={{ left: share(from, duration), width: share(to - from, duration) }}
          />
        ))}
        <span className="scrub__played" style={{ width: share(shown, duration) }} />
      </span>
      {pointed !== undefined && duration > 0 && (
        <span
          className="scrub__peek"
          style={{ left: `clamp(${half}px, ${share(pointed, duration)}, 100% - ${half}px)` }}
          aria-hidden="true"
        >
          {sprite && <span className="scrub__frame" style={frameStyle(sprite, pointed)} />}
          <span className="num">{formatDuration(pointed)}</span>
        </span>
      )}
    </div>
  );
}
