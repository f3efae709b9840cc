import { splitLinks } from '@stagedoor/contract/shared/text-links.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LinkedText, provideLinkSplitter } from './linked-text.tsx';

test('the server renders links at once, and the text between them as the caller wants', () => {
  provideLinkSplitter((text) => splitLinks(text));
  const html = renderToStaticMarkup(
    <LinkedText text="See https://example.com/menu。<b>よろしく" renderText={(part) => <i>{part}</i>} />,
  );
  expect(html).toBe(
    '<i>See </i><a class="link" dir="ltr" href="https://example.com/menu" target="_blank" rel="noopener noreferrer nofollow ugc">https://example.com/menu</a><i>。&lt;b&gt;よろしく</i>',
  );
  expect(renderToStaticMarkup(<LinkedText text="No link: example.com" />)).toBe('No link: example.com');
});
