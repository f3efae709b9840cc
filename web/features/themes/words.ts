import { ratioWords } from '@stagedoor/contract/theme-colours.ts';
import { type Arrangement, type Theme, weakest } from '@stagedoor/contract/themes.ts';

export const LAYOUT_WORDS = { classic: 'Classic', hero: 'Hero' } as const;
export const SHAPE_WORDS = { box: 'Box', round: 'Round' } as const;
export const FORMAT_WORDS = { col: 'One column', row: 'Grid' } as const;
export const COVER_WORDS = { picture: 'Original', wash: 'In your accent', colour: 'Accent only' } as const;
export const TYPE_WORDS = {
  signage: { name: 'Signage', sub: 'Wide and bold' },
  poster: { name: 'Poster', sub: 'Narrow and loud' },
  programme: { name: 'Programme', sub: 'Light and open' },
  letter: { name: 'Letter', sub: 'Soft and friendly' },
} as const;

export function hungWords({ layout, shape, format }: Arrangement): string {
  const [first, ...others] = [LAYOUT_WORDS[layout], SHAPE_WORDS[shape], FORMAT_WORDS[format]];
  return [first, ...others.map((word) => word.toLowerCase())].join(', ');
}

export function gradeOf(theme: Theme): string {
  const lowest = weakest(theme);
  return `${ratioWords(lowest)} ${lowest >= 7 ? 'AAA' : 'AA'}`;
}
