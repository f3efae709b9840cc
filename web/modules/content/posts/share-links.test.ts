/** Tests the share targets (row B10). */
import { EMBED_SIZES, embedCode, embedPath } from '@stagedoor/contract/content/embeds.ts';
import { expect, test } from 'vitest';
import { listShareLinks } from './share-links.ts';

const URL_SHARED = 'https://stagedoor.example/post/0189?a=1&b=ü#c';
const TEXT = 'Q&A: 100% “gut” strings + more? <b> by Inês';

const EXPECTED_TARGETS: Record<string, [host: string, url: string | undefined, text: string | undefined]> = {
  Facebook: ['www.facebook.com', 'u', undefined],
  WhatsApp: ['api.whatsapp.com', undefined, 'text'],
  Twitter: ['twitter.com', 'url', 'text'],
  LinkedIn: ['www.linkedin.com', 'url', undefined],
  Telegram: ['t.me', 'url', 'text'],
};

test('lists the six share targets in the order of the specification', () => {
  expect(listShareLinks(URL_SHARED, TEXT).map(({ label }) => label.toLowerCase())).toEqual([
    'facebook',
    'whatsapp',
    'email',
    'twitter',
    'linkedin',
    'telegram',
  ]);
});

test.each(Object.entries(EXPECTED_TARGETS))(
  'builds a %s link with the encoded URL and text',
  (label, [host, urlName, textName]) => {
    const href = listShareLinks(URL_SHARED, TEXT).find((link) => link.label === label)?.href ?? '';
    const parsed = new URL(href);
    expect([parsed.protocol, parsed.host, parsed.hash]).toEqual(['https:', host, '']);
    if (urlName) expect(parsed.searchParams.get(urlName)).toBe(URL_SHARED);
    if (textName) expect(parsed.searchParams.get(textName)).toBe(label === 'WhatsApp' ? `${TEXT} ${URL_SHARED}` : TEXT);
  },
);

test('builds an e-mail link with percent-encoded subject and body', () => {
  const href = listShareLinks(URL_SHARED, TEXT).find(({ label }) => label === 'Email')?.href ?? '';
  const [, subject = '', body = ''] = /^mailto:\?subject=([^&]*)&body=([^&]*)$/.exec(href) ?? [];
  expect(decodeURIComponent(subject)).toBe(TEXT);
  expect(decodeURIComponent(body)).toBe(`${TEXT}\r\n${URL_SHARED}`);
});

test('the embed code is a single iframe whatever the title contains', () => {
  const code = embedCode(`https://stagedoor.example${embedPath('post', '0189')}?theme=dark`, {
    title: '"><script>alert(1)</script>',
    ...EMBED_SIZES.post,
  });
  expect(code).toMatch(/^<iframe [^<>]*><\/iframe>$/);
  expect(code).toContain('src="https://stagedoor.example/embed/post/0189?theme=dark"');
  expect(code).toContain('title="&quot;&gt;&lt;script&gt;');
});
