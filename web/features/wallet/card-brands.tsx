/** The cards our processor takes, as small quiet marks in ink: no colours but ours. */
import type { ReactNode } from 'react';

const MARKS: readonly { name: string; mark: ReactNode }[] = [
  {
    name: 'Visa',
    mark: (
      <text x="20" y="17.5" textAnchor="middle" fontSize="12" fontWeight="700" fontStyle="italic" letterSpacing="-.2">
        VISA
      </text>
    ),
  },
  {
    name: 'Mastercard',
    mark: (
      <>
        <circle cx="16.5" cy="13" r="6.5" />
        <circle cx="23.5" cy="13" r="6.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
      </>
    ),
  },
  {
    name: 'Discover',
    mark: (
      <>
        <text x="4" y="16.2" fontSize="7" fontWeight="700" letterSpacing=".1">
          DISC
        </text>
        <circle cx="22.6" cy="13.6" r="2.6" />
        <text x="26" y="16.2" fontSize="7" fontWeight="700" letterSpacing=".1">
          VER
        </text>
      </>
    ),
  },
  {
    name: 'American Express',
    mark: (
      <text x="20" y="17" textAnchor="middle" fontSize="10" fontWeight="700" letterSpacing=".2">
        AMEX
      </text>
    ),
  },
  {
    name: 'JCB',
    mark: [
      ['J', 8],
      ['C', 16],
      ['B', 24],
    ].map(([letter, x]) => (
      <g key={letter}>
        <rect x={x} y="6" width="7" height="14" rx="2.5" />
        <text
          x={Number(x) + 3.5}
          y="15.8"
          textAnchor="middle"
          fontSize="7.5"
          fontWeight="700"
          className="fill-surface-0"
        >
          {letter}
        </text>
      </g>
    )),
  },
];

export function CardBrands() {
  return (
    <ul className="flex flex-wrap gap-2" aria-label="Cards accepted">
      {MARKS.map(({ name, mark }) => (
        <li key={name}>
          <svg
            viewBox="0 0 40 26"
            width="40"
            height="26"
            role="img"
            aria-label={name}
            className="block rounded-1 border border-line fill-current font-body"
          >
            {mark}
          </svg>
        </li>
      ))}
    </ul>
  );
}
