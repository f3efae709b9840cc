import { afterEach, expect, test, vi } from 'vitest';
import { findLevelCap, parseHeights } from './engine.ts';
import { findKeyAction } from './key-actions.ts';
import { findItemIndex } from './media-viewer.tsx';
import { clampVolume, getNextRate, readPlayerSettings, savePlayerSettings } from './player-settings.ts';
import { toFrameStyle } from './scrubber.tsx';
import { toSrcSet } from './src-set.ts';
import { resample } from './waveform.tsx';

const key = (name: string, modifiers: Partial<KeyboardEvent> = {}) =>
  findKeyAction({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

test.each([
  [-0.2, 0],
  [0, 0],
  [0.35, 0.35],
  [1, 1],
  [1.05, 1],
  [Number.NaN, 1],
  [Number.POSITIVE_INFINITY, 1],
])('clamps a volume of %s to %s (row C10)', (volume, expected) => expect(clampVolume(volume)).toBe(expected));

test('maps player keys to actions and ignores those of the browser', () => {
  expect(key(' ')).toEqual({ kind: 'toggle' });
  expect(key('K')).toEqual({ kind: 'toggle' });
  expect(key('j')).toEqual({ kind: 'by', seconds: -10 });
  expect(key('ArrowRight')).toEqual({ kind: 'by', seconds: 5 });
  expect(key('ArrowUp')).toEqual({ kind: 'volume', by: 0.05 });
  expect(key('7')).toEqual({ kind: 'to', share: 0.7 });
  expect(key('End')).toEqual({ kind: 'to', share: 1 });
  expect(key('>')).toEqual({ kind: 'rate', step: 1 });
  expect(key('c', { ctrlKey: true })).toBeUndefined();
  expect(key('ArrowLeft', { altKey: true })).toBeUndefined();
  expect(key('Tab')).toBeUndefined();
});

test('changes the speed in steps and stops at the limits', () => {
  expect(getNextRate(1, 1)).toBe(1.25);
  expect(getNextRate(1, -1)).toBe(0.75);
  expect(getNextRate(2, 1)).toBe(2);
  expect(getNextRate(0.5, -1)).toBe(0.5);
  expect(getNextRate(1.1, 1)).toBe(1.25);
});

afterEach(() => vi.unstubAllGlobals());

test('limits automatic quality to 480p, or the smallest rendition, only for users who save data', () => {
  const toSize = (height: number) => ({ width: Math.round((height * 16) / 9), height });
  const [ladder, large] = [[360, 480, 720, 1080].map(toSize), [720, 1080].map(toSize)];
  const portrait = ladder.map(({ width, height }) => ({ width: height, height: width }));
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  expect([ladder, portrait, large].map(findLevelCap)).toEqual([1, 1, 0]);
  for (const navigator of [{ connection: { saveData: false } }, {}]) {
    vi.stubGlobal('navigator', navigator);
    expect(findLevelCap(ladder)).toBeUndefined();
  }
});

test('reads saved player settings and ignores invalid ones and blocked storage', () => {
  const stored = new Map<string, string>();
  const store = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  };
  savePlayerSettings(store, { volume: 0.4 });
  savePlayerSettings(store, { captions: 'pt' });
  expect(readPlayerSettings(store)).toEqual({ volume: 0.4, isMuted: false, rate: 1, captions: 'pt' });
  for (const broken of ['{', 'null', '7', '{"volume":"loud","rate":99,"captions":4}']) {
    stored.set('player', broken);
    expect(readPlayerSettings(store)).toEqual({ volume: 1, isMuted: false, rate: 1, captions: '' });
  }
});

test('lists the renditions of a playlist once, tallest first', () => {
  const playlist = ['640x360', '1080x1920', '1280x720', '1280x720']
    .map((size) => `#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=${size},CODECS="avc1"\n${size}.m3u8`)
    .join('\n');
  expect(parseHeights(playlist)).toEqual([1080, 720, 360]);
  expect(parseHeights('')).toEqual([]);
});

test('finds the sprite frame of a position and clamps it to the last one', () => {
  const sprite = { url: '/s.jpg', frameWidth: 160, frameHeight: 90, columns: 5, count: 13, interval: 5 };
  const at = (seconds: number) => toFrameStyle(sprite, seconds, 160).backgroundPosition;
  expect(at(0)).toBe('0px 0px');
  expect(at(4.9)).toBe('0px 0px');
  expect(at(33)).toBe('-160px -90px');
  expect(at(9_999)).toBe('-320px -180px');
  expect(at(-3)).toBe('0px 0px');
  expect(toFrameStyle(sprite, 0, 80).backgroundSize).toBe('400px 135px');
});

test('resamples a waveform to any length and keeps its peaks', () => {
  expect(resample([], 3)).toEqual([0.04, 0.04, 0.04]);
  expect(resample([0, 0.9, 0, 0.1], 2)).toEqual([0.9, 0.1]);
  expect(resample([0.5], 3)).toEqual([0.5, 0.5, 0.5]);
  expect(Math.max(...resample([7], 1))).toBe(1);
});

test('finds the viewer item of a URL fragment, and none for other fragments', () => {
  const items = [{ id: 'a' }, { id: 'b' }];
  expect(findItemIndex('#see-b', items)).toBe(1);
  expect(findItemIndex('#see-c', items)).toBe(-1);
  expect(findItemIndex('#comments', items)).toBe(-1);
  expect(findItemIndex('', items)).toBe(-1);
});

test('converts the sizes of a picture to the format of the viewer library', () => {
  const picture = { url: '/a.jpg', width: 1000, height: 500, alt: '', thumbhash: null };
  const sources = [
    { type: 'image/avif', srcset: '/a-96.avif 96w' },
    { type: 'image/webp', srcset: '/a-96.webp?x=1,2 96w, /a-640.webp 640w' },
  ];
  expect(toSrcSet({ ...picture, sources })).toEqual([
    { src: '/a-96.webp?x=1,2', width: 96, height: 48 },
    { src: '/a-640.webp', width: 640, height: 320 },
  ]);
  expect(toSrcSet({ ...picture, sources: [] })).toEqual([]);
});
