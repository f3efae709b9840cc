/** A draft's items: order, progress and the server's word. */
import { expect, test } from 'vitest';
import { type Item, itemsReducer, refusalOf } from './uploads.ts';

const item = (key: string, change: Partial<Item> = {}): Item => ({
  key,
  name: `${key}.jpg`,
  byteSize: 10,
  sent: 0,
  state: 'uploading',
  failure: undefined,
  mediaId: undefined,
  alt: '',
  src: '',
  ...change,
});
const keys = (items: readonly Item[]) => items.map(({ key }) => key).join('');

test('moving stays within the list', () => {
  const items = [item('a'), item('b'), item('c')];
  expect(keys(itemsReducer(items, { kind: 'moved', key: 'a', by: 1 }))).toBe('bac');
  expect(keys(itemsReducer(items, { kind: 'moved', key: 'c', by: -2 }))).toBe('cab');
  expect(keys(itemsReducer(items, { kind: 'moved', key: 'a', by: -1 }))).toBe('abc');
  expect(keys(itemsReducer(items, { kind: 'moved', key: 'x', by: 1 }))).toBe('abc');
});

test('a change touches its own item only', () => {
  const [first, second] = itemsReducer([item('a'), item('b')], { kind: 'changed', key: 'b', change: { sent: 5 } });
  expect(first?.sent).toBe(0);
  expect(second?.sent).toBe(5);
});

test.each([
  [{ name: 'a.jpg', size: 10, type: 'image/jpeg' }, undefined],
  [{ name: 'a.heic', size: 10, type: '' }, undefined],
  [{ name: 'a.pdf', size: 10, type: 'application/pdf' }, 'a.pdf is not a picture.'],
  [{ name: 'a.jpg', size: 0, type: 'image/jpeg' }, 'a.jpg is empty.'],
  [{ name: 'a.jpg', size: 90_000_000, type: 'image/jpeg' }, 'a.jpg is larger than 42 MB.'],
])('%o', (file, words) => expect(refusalOf(file)).toBe(words));
