import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CallTime, formatCallTime } from './call-time.tsx';

test('a Monday evening call in New York is shown on Monday, although it is Tuesday in UTC', () =>
  expect(formatCallTime('2026-03-03T01:14:00.000Z', '2026-03-03T04:00:00.000Z', () => 300)).toBe('Today, 20:14'));

test.each([
  ['2026-03-02T20:00:00.000Z', 'Yesterday, 01:30'],
  ['2026-02-27T10:00:00.000Z', '27 Feb, 15:30'],
  ['2025-02-27T10:00:00.000Z', '27 Feb 2025, 15:30'],
])('%s is shown as %s in India, where it is the 4th', (at, expected) =>
  expect(formatCallTime(at, '2026-03-03T19:00:00.000Z', () => -330)).toBe(expected),
);

test("the time is hidden until the page knows the reader's time zone", () => {
  const html = renderToStaticMarkup(
    createElement(CallTime, { at: '2026-03-02T09:00:00.000Z', now: '2026-03-02T10:00:00.000Z' }),
  );
  expect(html).toBe('<time dateTime="2026-03-02T09:00:00.000Z" class="invisible">Today, 09:00</time>');
});
