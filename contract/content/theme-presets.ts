import type { Category } from './profiles.ts';
import type { Theme } from './themes.ts';

/** `category`: its works are shown with the preset. */
export type ThemePreset = { key: string; name: string; category: Category; theme: Theme };

export const THEME_PRESETS: readonly ThemePreset[] = [
  {
    key: 'paper',
    name: 'Paper',
    category: 'Ceramics',
    theme: {
      ...{ background: '#f4f3f0', accent: '#2f5d50', otherMode: 'derived', type: 'signage', radius: 0 },
      ...{ layout: 'hero', shape: 'box', format: 'row', cover: 'picture' },
    },
  },
  {
    key: 'varnish',
    name: 'Varnish',
    category: 'Music',
    theme: {
      ...{ background: '#1a0f0a', accent: '#f08a3c', otherMode: 'same', type: 'programme', radius: 0 },
      ...{ layout: 'hero', shape: 'box', format: 'col', cover: 'picture' },
    },
  },
  {
    key: 'ultraviolet',
    name: 'Ultraviolet',
    category: 'Dance',
    theme: {
      ...{ background: '#150a2b', accent: '#c58bff', otherMode: 'same', type: 'poster', radius: 24 },
      ...{ layout: 'classic', shape: 'round', format: 'row', cover: 'wash' },
    },
  },
  {
    key: 'fog',
    name: 'Fog',
    category: 'Photography',
    theme: {
      ...{ background: '#dfe7ee', accent: '#1d4f7a', otherMode: 'derived', type: 'letter', radius: 0 },
      ...{ layout: 'classic', shape: 'box', format: 'col', cover: 'picture' },
    },
  },
  {
    key: 'noon',
    name: 'Noon',
    category: 'Kitchen',
    theme: {
      ...{ background: '#ffd84a', accent: '#9c1c10', otherMode: 'derived', type: 'poster', radius: 4 },
      ...{ layout: 'classic', shape: 'box', format: 'row', cover: 'picture' },
    },
  },
  {
    key: 'iron',
    name: 'Iron',
    category: 'Strength',
    theme: {
      ...{ background: '#0b3b3a', accent: '#ff9b7a', otherMode: 'same', type: 'poster', radius: 4 },
      ...{ layout: 'hero', shape: 'box', format: 'row', cover: 'wash' },
    },
  },
  {
    key: 'cut-paper',
    name: 'Cut paper',
    category: 'Paper & print',
    theme: {
      ...{ background: '#fff1ec', accent: '#b3362a', otherMode: 'derived', type: 'letter', radius: 24 },
      ...{ layout: 'classic', shape: 'round', format: 'row', cover: 'colour' },
    },
  },
  {
    key: 'night-bus',
    name: 'Night bus',
    category: 'Film',
    theme: {
      ...{ background: '#0c1024', accent: '#ffc46b', otherMode: 'derived', type: 'programme', radius: 12 },
      ...{ layout: 'hero', shape: 'round', format: 'row', cover: 'picture' },
    },
  },
];

export function findThemePreset(key: string): ThemePreset | undefined {
  return THEME_PRESETS.find((preset) => preset.key === key);
}
