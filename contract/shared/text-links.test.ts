import { expect, test } from 'vitest';
import { replaceDeceptiveHosts, toHonestHost } from './hosts.ts';
import { splitLinks } from './text-links.ts';

const listLinks = (text: string) => splitLinks(text).flatMap((part) => (part.href === undefined ? [] : [part.text]));

test('turns URLs into links without the surrounding punctuation', () => {
  expect(splitLinks('See https://example.org/a_(b)?q=1, or (www.example.org).')).toEqual([
    { text: 'See ' },
    { text: 'https://example.org/a_(b)?q=1', href: 'https://example.org/a_(b)?q=1' },
    { text: ', or (' },
    { text: 'www.example.org', href: 'https://www.example.org/' },
    { text: ').' },
  ]);
});

test.each([
  ['https://example.com/menu。よろしく', ['https://example.com/menu']],
  ['[https://example.com/x]', ['https://example.com/x']],
  ['*https://example.com/y*', ['https://example.com/y']],
  ['**https://example.com/y** and _https://example.com/z_', ['https://example.com/y', 'https://example.com/z']],
  ['“https://example.com/a”“https://example.com/b”', ['https://example.com/a', 'https://example.com/b']],
  ['「https://example.com/a」「https://example.com/b」', ['https://example.com/a', 'https://example.com/b']],
  ['＂https://example.com/a＂＂https://example.com/b＂', ['https://example.com/a', 'https://example.com/b']],
  ['《https://example.com/x》！', ['https://example.com/x']],
  ['詳細はhttps://example.com/xをhttps://example.com/y', ['https://example.com/xを', 'https://example.com/y']],
  ['نص https://example.com/x، ثم', ['https://example.com/x']],
  ['https://example.com/x|https://example.com/y', ['https://example.com/x', 'https://example.com/y']],
  ['https://web.archive.org/web/1/https://example.com/', ['https://web.archive.org/web/1/https://example.com/']],
  ['https://ja.example.org/wiki/花子_(名)', ['https://ja.example.org/wiki/花子_(名)']],
  ['https://example.com/a*b_c~d', ['https://example.com/a*b_c~d']],
  ['https://example.com/\u202emoc.elppa', ['https://example.com/']],
  ['HTTPS://EXAMPLE.COM/x', ['HTTPS://EXAMPLE.COM/x']],
])('ends the links of %s where a reader would', (text, links) => {
  expect(listLinks(text)).toEqual(links);
  const whole = splitLinks(text).map((part) => part.text);
  expect(whole.join('')).toBe(text);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '<a href="x">y</a>',
  'https://',
  'http://localhost',
  'ftp://example.com',
  'me@example.com',
  'axhttps://example.com',
])('makes no link of %s', (text) => {
  expect(listLinks(text)).toEqual([]);
});

test('a user name in a URL does not make a link to the host behind it', () => {
  expect(splitLinks('https://www.example.com:secret@evil.example/').map(({ href }) => href)).not.toContainEqual(
    expect.stringContaining('evil'),
  );
});

test('shows the Punycode of hosts that mix scripts or imitate another host', () => {
  expect(splitLinks('https://аpple.com/x and www.аррӏе.com')).toEqual([
    { text: 'https://xn--pple-43d.com/x', href: 'https://xn--pple-43d.com/x' },
    { text: ' and ' },
    { text: 'www.xn--80ak6aa92e.com', href: 'https://www.xn--80ak6aa92e.com/' },
  ]);
  for (const host of [
    'раypal.com',
    'gοοgle.com',
    'аррӏе.com',
    'ехаmple.org',
    'example.com∕a',
    'ap\u200bple.com',
    'ꮪ.com',
  ])
    expect([host, toHonestHost(host)]).toEqual([host, new URL(`https://${host}`).hostname]);
});

test.each([
  'пример.рф',
  'почта.com',
  'münchen.example',
  'ελλάδα.gr',
  'カフェbar.jp',
  '한국.kr',
  'ไทย.com',
  'example.com',
])('leaves the host %s as it is', (host) => {
  expect(toHonestHost(host)).toBe(host);
});

test('replaces deceptive hosts within a title', () => {
  expect(replaceDeceptiveHosts('My shop at аpple.com, почта.com')).toBe('My shop at xn--pple-43d.com, почта.com');
});

test('stays fast for the longest texts', { timeout: 4_000 }, () => {
  for (const part of ['https://', 'https://example.com/(', 'www.', '*https://a.b*', '[https://a.b/]('])
    expect(splitLinks(part.repeat(5_000 / part.length)).length).toBeGreaterThan(0);
});
