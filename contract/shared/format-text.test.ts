import { expect, test } from 'vitest';
import { formatText } from './format-text.ts';

test('values replace their names in a text, as often as they occur', () => {
  expect(formatText('{name} tips {amount}. Thanks, {name}!', { name: 'Ada', amount: '$5.00' })).toBe(
    'Ada tips $5.00. Thanks, Ada!',
  );
  expect(formatText('At most {max} files', { max: 20 })).toBe('At most 20 files');
});

test('braces and patterns in a value stay as they are', () => {
  expect(formatText('{name} tips {amount}', { name: '{amount} $& $1', amount: '$5.00' })).toBe(
    '{amount} $& $1 tips $5.00',
  );
});
