import { PICTURE_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { findFileProblem, prepareFile } from './prepare-files.ts';

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
])('refuses $name', (candidate) => expect(findFileProblem(candidate, true)).toMatch(new RegExp(`^${candidate.name} `)));

test.each([
  [file('photo.jpg', 'image/jpeg')],
  [file('photo.HEIC', '')],
  [file('dance.gif', 'image/gif')],
  [file('film.mov', 'video/quicktime')],
  [file('paper.pdf', 'application/pdf')],
])('accepts $name', (candidate) => expect(findFileProblem(candidate, true)).toBeUndefined());

test('accepts a larger video from a creator than from a fan', () => {
  expect(findFileProblem(file('film.mp4', 'video/mp4', CHAT_LIMITS.fanUploadBytes + 1), false)).toBeUndefined();
});

test('refuses a broken picture, but sends one in a format that only some browsers can decode', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no picture')));
  expect(await prepareFile(new File(['words'], 'photo.jpg', { type: 'image/jpeg' }))).toEqual({
    refusal: 'photo.jpg is damaged or not a photo.',
  });
  expect(await prepareFile(new File(['…'], 'photo.heic', { type: 'image/heic' }))).toMatchObject({
    width: 0,
    kind: 'picture',
  });
});

test('refuses a picture with too many pixels', async () => {
  const bitmap = { width: PICTURE_LIMITS.maxPixels, height: 2, close: () => undefined };
  vi.stubGlobal('createImageBitmap', async () => bitmap);
  expect(await prepareFile(new File(['…'], 'wall.png', { type: 'image/png' }))).toEqual({
    refusal: 'wall.png has more than 50 megapixels. Send a smaller version.',
  });
});

test('shows the name of a file without characters that turn it around, as the server stores it', async () => {
  expect(await prepareFile(new File(['…'], 'inv\u202efdp.2026 eci.pdf'))).toMatchObject({
    name: 'invfdp.2026 eci.pdf',
  });
});
