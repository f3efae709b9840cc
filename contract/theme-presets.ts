import type { Category } from './profiles.ts';
import type { Theme } from './themes.ts';

/** `craft`: the category whose works are shown with it. */
export type Preset = { key: string; name: string; craft: Category; theme: Theme };

export const PRESETS: readonly Preset[] = [
  {
    key: 'paper',
    name: 'Paper',
    craft: 'Ceramics',
    theme: {
      ...{ background: '#f4f3f0', accent: '#2f5d50', twin: 'made', type: 'signage', radius: 0 },
      ...{ layout: 'hero', shape: 'box', format: 'row', cover: 'picture' },
    },
  },
  {
    key: 'varnish',
    name: 'Varnish',
    craft: 'Music',
    theme: {
      ...{ background: '#1a0f0a', accent: '#f08a3c', twin: 'same', type: 'programme', radius: 0 },
      ...{ layout: 'hero', shape: 'box', format: 'col', cover: 'picture' },
    },
  },
  {
    key: 'ultraviolet',
    name: 'Ultraviolet',
    craft: 'Dance',
    theme: {
      ...{ background: '#150a2b', accent: '#c58bff', twin: 'same', type: 'poster', radius: 24 },
      ...{ layout: 'classic', shape: 'round', format: 'row', cover: 'wash' },
    },
  },
  {
    key: 'fog',
    name: 'Fog',
    craft: 'Photography',
    theme: {
      ...{ background: '#dfe7ee', accent: '#1d4f7a', twin: 'made', type: 'letter', radius: 0 },
      ...{ layout: 'classic', shape: 'box', format: 'col', cover: 'picture' },
    },
  },
  {
    key: 'noon',
    name: 'Noon',
    craft: 'Kitchen',
    theme: {
      ...{ background: '#ffd84a', accent: '#9c1c10', twin: 'made', type: 'poster', radius: 4 },
      ...{ layout: 'classic', shape: 'box', format: 'row', cover: 'picture' },
    },
  },
  {
    key: 'iron',
    name: 'Iron',
    craft: 'Strength',
    theme: {
      ...{ background: '#0b3b3a', accent: '#ff9b7a', twin: 'same', type: 'poster', radius: 4 },
      ...{ layout: 'hero', shape: 'box', format: 'row', cover: 'wash' },
    },
  },
  {
    key: 'cut-paper',
    name: 'Cut paper',
    craft: 'Paper & print',
    theme: {
      ...{ background: '#fff1ec', accent: '#b3362a', twin: 'made', type: 'letter', radius: 24 },
      ...{ layout: 'classic', shape: 'round', format: 'row', cover: 'colour' },
    },
  },
  {
    key: 'night-bus',
    name: 'Night bus',
    craft: 'Film',
    theme: {
      ...{ background: '#0c1024', accent: '#ffc46b', twin: 'made', type: 'programme', radius: 12 },
      ...{ layout: 'hero', shape: 'round', format: 'row', cover: 'picture' },
    },
  },
];

export function presetOf(key: string): Preset | undefined {
  return PRESETS.find((preset) => preset.key === key);
}
