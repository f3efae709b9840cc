import { expect, test } from 'vitest';
import { findOtherUseOfChatFile, findOtherUseOfDraftFile, type LibraryItem } from './library-choice.ts';

const toItem = (isUsed: boolean, part: object = {}) =>
  ({ media: { isUsed }, postId: null, draftIds: [], ...part }) as unknown as LibraryItem;

test('a file is marked before it is chosen when another draft, a post or a message has it', () => {
  expect(findOtherUseOfDraftFile(toItem(false), 'own')).toBeUndefined();
  expect(findOtherUseOfDraftFile(toItem(false, { draftIds: ['own'] }), 'own')).toBeUndefined();
  expect(findOtherUseOfDraftFile(toItem(false, { draftIds: ['own', 'other'] }), 'own')).toEqual({
    label: 'In another draft',
    isTaken: false,
  });
  expect(findOtherUseOfDraftFile(toItem(false, { draftIds: ['other'] }), undefined)?.label).toBe('In another draft');
  expect(findOtherUseOfDraftFile(toItem(true, { postId: 'post' }), 'own')).toEqual({
    label: 'In a post',
    isTaken: true,
  });
  expect(findOtherUseOfDraftFile(toItem(true), 'own')).toEqual({ label: 'Sent in chat', isTaken: true });
});

test('a file that was sent can be sent again, and one of a draft is marked', () => {
  expect(findOtherUseOfChatFile(toItem(true))).toBeUndefined();
  expect(findOtherUseOfChatFile(toItem(false, { draftIds: ['one'] }))).toEqual({ label: 'In a draft', isTaken: false });
});
