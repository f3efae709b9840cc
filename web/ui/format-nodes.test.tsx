import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatNodes } from './format-nodes.ts';

test('elements and values replace their names in a text', () => {
  const nodes = formatNodes('Read the {link}, {name}.', { link: <a href="/terms">terms</a>, name: '<b>{link}</b>' });
  expect(renderToStaticMarkup(nodes)).toBe('Read the <a href="/terms">terms</a>, &lt;b&gt;{link}&lt;/b&gt;.');
});

test('a value that shows nothing leaves no trace', () => {
  expect(renderToStaticMarkup(formatNodes('Ended{note}.', { note: false }))).toBe('Ended.');
});
