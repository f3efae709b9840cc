import { formatRatio } from '@stagedoor/contract/content/theme-colours.ts';
import { type Arrangement, getWeakestThemeContrast, type Theme } from '@stagedoor/contract/content/themes.ts';
import * as texts from './texts.ts';

export const LAYOUT_LABELS = { classic: texts.classic, hero: texts.hero } as const;
export const SHAPE_LABELS = { box: texts.box, round: texts.round } as const;
export const FORMAT_LABELS = { col: texts.oneColumn, row: texts.grid } as const;
export const COVER_LABELS = { picture: texts.original, wash: texts.inYourAccent, colour: texts.accentOnly } as const;
export const FONT_LABELS = {
  signage: { name: 'Signage', sub: texts.wideAndBold },
  poster: { name: 'Poster', sub: texts.narrowAndLoud },
  programme: { name: 'Programme', sub: texts.lightAndOpen },
  letter: { name: 'Letter', sub: texts.softAndFriendly },
} as const;

export function formatArrangement({ layout, shape, format }: Arrangement): string {
  const [first, ...others] = [LAYOUT_LABELS[layout], SHAPE_LABELS[shape], FORMAT_LABELS[format]];
  return [first, ...others.map((word) => word.toLowerCase())].join(', ');
}

export function formatContrastGrade(theme: Theme): string {
  const lowest = getWeakestThemeContrast(theme);
  return `${formatRatio(lowest)} ${lowest >= 7 ? 'AAA' : 'AA'}`;
}
