import * as texts from './texts.ts';
export function LogoMark({ size = 26 }: { size?: number | undefined }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="currentColor" d="M4 29V3h18v26h-3V6H8.6L15 10.2V32L4 29z" />
      <circle className="mark__lamp" cx="27.5" cy="6" r="3.5" />
    </svg>
  );
}

export function Wordmark({ name = texts.stagedoor }: { name?: string | undefined }) {
  return (
    <span className="wordmark">
      <LogoMark />
      <span>{name}</span>
    </span>
  );
}
