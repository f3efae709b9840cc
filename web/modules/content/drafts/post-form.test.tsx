import { EMPTY_POST_DETAILS } from '@stagedoor/contract/content/post-details.ts';
import { createPriceSchema } from '@stagedoor/contract/shared/prices.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { describe, expect, test } from 'vitest';
import { completeDetails } from './detail-fields.tsx';
import { toSaveableDraft } from './draft-body.ts';
import { describeDraft } from './draft-list.tsx';
import { findFieldsError, type PostForm } from './fields.tsx';
import { FileTiles } from './file-tiles.tsx';
import { toUploadItem, type UploadItem } from './items.ts';
import { formatScheduledTime, formatShortTime } from './local-time.tsx';
import { addTypedTags } from './tags-field.tsx';
import { countUploads } from './upload-counts.ts';
import type { PostFiles } from './use-files.ts';

const priceSchema = createPriceSchema('post', { min: 3, max: 50 });

describe('a typed tag', () => {
  const toForm = (tagText: string, tags: string[] = ['sea']): PostForm => ({
    ...{ caption: 'The pier', isPaid: false, priceText: '', people: [], tagText },
    details: { ...EMPTY_POST_DETAILS, tags },
  });

  test('is saved and published before it is added', () => {
    expect(completeDetails(toForm('Porcelain')).tags).toEqual(['sea', 'porcelain']);
    const options = { scheduledAt: null, savedPrice: 0, priceSchema };
    expect(toSaveableDraft(toForm('porcelain'), [], options).body.tags).toEqual(['sea', 'porcelain']);
    expect(findFieldsError(toForm('porcelain'), priceSchema)).toBeUndefined();
  });

  test('that cannot be added prevents publishing, but not saving', () => {
    expect(findFieldsError(toForm('a!'), priceSchema)).toMatchObject({ position: 'detail:tags' });
    const saved = toSaveableDraft(toForm('quay a!'), [], { scheduledAt: null, savedPrice: 0, priceSchema });
    expect([saved.body.tags, saved.invalidReason]).toEqual([['sea', 'quay'], undefined]);
  });

  test('stays in the field when it is not valid or too many', () => {
    expect(addTypedTags(['sea'], '#quay, sea a! pier')).toMatchObject({ tags: ['sea', 'quay'], rest: 'a! pier' });
    const twenty = Array.from({ length: 20 }, (_, index) => `tag${index}`);
    expect(addTypedTags(twenty, 'tag3 more')).toEqual({ tags: twenty, rest: 'more', problem: 'At most 20 tags' });
  });
});

describe('files that cannot be in one post', () => {
  const NO_FILES = { add: () => [], pause: () => undefined, resume: () => undefined } as unknown as PostFiles;
  const render = (types: string[]) => {
    const items = types.map(
      (type, index): UploadItem => toUploadItem(`${index}`, { name: `${index}`, size: 10, type }, ''),
    );
    const element = <FileTiles files={{ ...NO_FILES, items }} library={null} error={undefined} />;
    return renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />);
  };

  test('are reported when they are chosen', () => {
    expect(render(['image/jpeg', 'image/jpeg'])).not.toContain('role="alert"');
    expect(render(['video/mp4'])).not.toContain('role="alert"');
    for (const types of [
      ['video/mp4', 'video/mp4', 'image/jpeg'],
      ['image/jpeg', 'audio/mpeg'],
    ])
      expect(render(types)).toMatch(/role="alert".*A post can have photos, one video or one audio file/);
  });

  test('are announced by a hint that stays visible', () => {
    expect(render([])).toContain('Up to 20 photos, or one video or audio file.');
    expect(render(['image/jpeg'])).toContain('Up to 20 photos. Tap');
    expect(render(['video/mp4'])).toContain('One video or audio file per post. Tap');
  });
});

test('a scheduled time names its year when it is another one, and its zone', () => {
  const now = new Date('2026-11-30T10:00:00.000Z');
  const format = (iso: string) => formatScheduledTime(new Date(iso), 'Europe/Berlin', now);
  expect(format('2027-11-29T09:00:00.000Z')).toBe('Mon 29 Nov 2027, 10:00 CET');
  expect(format('2026-12-01T09:00:00.000Z')).toBe('Tue 1 Dec, 10:00 CET');
  // The year is that of the zone.
  expect(format('2026-12-31T23:30:00.000Z')).toBe('Fri 1 Jan 2027, 00:30 CET');
  const formatShort = (iso: string) => formatShortTime(new Date(iso), 'Europe/Berlin', now);
  expect(formatShort('2026-11-29T09:00:00.000Z')).toBe('Sun 29 Nov, 10:00');
  expect(formatShort('2025-11-29T09:00:00.000Z')).toBe('Sat 29 Nov 2025, 10:00');
});

test('a draft in the list counts files that are not uploaded completely', () => {
  const uploads = [
    { key: 'film', draftId: 'a' },
    { key: 'left', draftId: 'a' },
    { key: 'other', draftId: 'b' },
  ];
  const counts = countUploads(uploads, new Set(['unfinished-upload:film']));
  expect(counts.get('a')).toEqual({ uploading: 1, stopped: 1 });
  expect(counts.get('b')).toEqual({ uploading: 0, stopped: 1 });
  const describeWith = (uploading: number, stopped: number) =>
    describeDraft({ media: [], price: 0 }, { uploading, stopped });
  expect(describeWith(0, 0)).toBe('Free · no files yet');
  expect(describeWith(1, 0)).toBe('Free · 1 file uploading');
  expect(describeWith(1, 2)).toBe('Free · 1 file uploading · 2 files partly uploaded');
});
