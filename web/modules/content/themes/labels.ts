import { formatRatio } from '@stagedoor/contract/content/theme-colours.ts';
import { type Arrangement, getWeakestThemeContrast, type Theme } from '@stagedoor/contract/content/themes.ts';

export const LAYOUT_LABELS = { classic: 'Classic', hero: 'Hero' } as const;
export const SHAPE_LABELS = { box: 'Box', round: 'Round' } as const;
export const FORMAT_LABELS = { col: 'One column', row: 'Grid' } as const;
export const COVER_LABELS = { picture: 'Original', wash: 'In your accent', colour: 'Accent only' } as const;
export const FONT_LABELS = {
  signage: { name: 'Signage', sub: 'Wide and bold' },
  poster: { name: 'Poster', sub: 'Narrow and loud' },
  programme: { name: 'Programme', sub: 'Light and open' },
  letter: { name: 'Letter', sub: 'Soft and friendly' },
} as const;

export function formatArrangement({ layout, shape, format }: Arrangement): string {
  const [first, ...others] = [LAYOUT_LABELS[layout], SHAPE_LABELS[shape], FORMAT_LABELS[format]];
  return [first, ...others.map((word) => word.toLowerCase())].join(', ');
}

export function formatContrastGrade(theme: Theme): string {
  const lowest = getWeakestThemeContrast(theme);
  return `${formatRatio(lowest)} ${lowest >= 7 ? 'AAA' : 'AA'}`;
}
