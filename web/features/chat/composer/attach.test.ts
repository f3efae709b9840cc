import { PICTURE } from '@stagedoor/contract/atoms/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { attach, refusalOf } from './attach.ts';

afterEach(() => void vi.unstubAllGlobals());

const file = (name: string, type: string, size = 1) => ({ name, type, size });

test.each([
  [file('scan.tiff', 'image/tiff')],
  [file('scan.bmp', 'image/bmp')],
  [file('drawing.svg', 'image/svg+xml')],
  [file('raw.dng', '')],
  [file('layers.psd', 'image/vnd.adobe.photoshop')],
  [file('old.wmv', 'video/x-ms-wmv')],
  [file('tape.mpg', 'video/mpeg')],
  [file('setup.exe', 'application/x-msdownload')],
  [file('empty.jpg', 'image/jpeg', 0)],
  [file('film.mp4', 'video/mp4', CHAT_LIMITS.fanUploadBytes + 1)],
])('refuses $name', (one) => expect(refusalOf(one, true)).toMatch(new RegExp(`^${one.name} `)));

test.each([
  [file('photo.jpg', 'image/jpeg')],
  [file('photo.HEIC', '')],
  [file('dance.gif', 'image/gif')],
  [file('film.mov', 'video/quicktime')],
  [file('paper.pdf', 'application/pdf')],
])('accepts $name', (one) => expect(refusalOf(one, true)).toBeUndefined());

test('accepts a larger video from a creator than from a fan', () => {
  expect(refusalOf(file('film.mp4', 'video/mp4', CHAT_LIMITS.fanUploadBytes + 1), false)).toBeUndefined();
});

test('refuses a broken picture, but sends one in a format that only some browsers can decode', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')));
  expect(await attach(new File(['words'], 'photo.jpg', { type: 'image/jpeg' }))).toEqual({
    refusal: 'photo.jpg is damaged or not a photo.',
  });
  expect(await attach(new File(['…'], 'photo.heic', { type: 'image/heic' }))).toMatchObject({
    width: 0,
    kind: 'picture',
  });
});

test('refuses a picture with too many pixels', async () => {
  const bitmap = { width: PICTURE.maxPixels, height: 2, close: () => undefined };
  vi.stubGlobal('createImageBitmap', async () => bitmap);
  expect(await attach(new File(['…'], 'wall.png', { type: 'image/png' }))).toEqual({
    refusal: 'wall.png has more than 50 megapixels. Send a smaller version.',
  });
});
