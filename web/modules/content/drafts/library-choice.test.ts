import { expect, test } from 'vitest';
import { findUseBesidesChat, findUseBesidesDraft, type LibraryItem } from './library-choice.ts';

const toItem = (isUsed: boolean, part: object = {}) =>
  ({ media: { isUsed }, postId: null, draftIds: [], ...part }) as unknown as LibraryItem;

test('a file is marked before it is chosen when another draft, a post or a message has it', () => {
  expect(findUseBesidesDraft(toItem(false), 'own')).toBeUndefined();
  expect(findUseBesidesDraft(toItem(false, { draftIds: ['own'] }), 'own')).toBeUndefined();
  expect(findUseBesidesDraft(toItem(false, { draftIds: ['own', 'other'] }), 'own')).toEqual({
    label: 'In another draft',
    isTaken: false,
  });
  expect(findUseBesidesDraft(toItem(false, { draftIds: ['other'] }), undefined)?.label).toBe('In another draft');
  expect(findUseBesidesDraft(toItem(true, { postId: 'post' }), 'own')).toEqual({ label: 'In a post', isTaken: true });
  expect(findUseBesidesDraft(toItem(true), 'own')).toEqual({ label: 'Sent in chat', isTaken: true });
});

test('a file that was sent can be sent again, and one of a draft is marked', () => {
  expect(findUseBesidesChat(toItem(true))).toBeUndefined();
  expect(findUseBesidesChat(toItem(false, { draftIds: ['one'] }))).toEqual({ label: 'In a draft', isTaken: false });
});
