/** The levels of an audio as bars, drawn as one path so that it needs no script. */

const BARS = 96;
const MIN_LEVEL = 0.04;

export function resample(values: readonly number[], count: number): number[] {
  if (values.length === 0) return Array.from({ length: count }, () => MIN_LEVEL);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * values.length) / count);
    const to = Math.max(from + 1, Math.floor(((index + 1) * values.length) / count));
    return Math.min(1, Math.max(MIN_LEVEL, ...values.slice(from, to)));
  });
}

function toPath(values: readonly number[]): string {
  return values
    .map((value, index) => {
      const height = Number((value * 100).toFixed(1));
      return `M${index * 3} ${Number(((100 - height) / 2).toFixed(1))}h2v${height}h-2z`;
    })
    .join('');
}

/** `played` is 0 to 1. */
export function Waveform({ values, played }: { values: readonly number[]; played: number }) {
  const path = toPath(resample(values, BARS));
  const renderLayer = (className: string, width: number) => (
    <svg
      className={`absolute inset-0 size-full ${className}`}
      viewBox={`0 0 ${BARS * 3 - 1} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      style={{ clipPath: `inset(0 ${100 - width * 100}% 0 0)` }}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
  return (
    <span className="pointer-events-none absolute inset-0 block">
      {renderLayer('text-line-strong', 1)}
      {renderLayer('text-ink', Math.min(1, Math.max(0, played)))}
    </span>
  );
}
