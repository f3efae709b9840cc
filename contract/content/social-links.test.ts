/** Covers row B4. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SOCIAL_NETWORKS } from '../shared/limits.ts';
import {
  customLinkBody,
  isNetworkUrl,
  parsePublicUrl,
  SOCIAL_NETWORK_DETAILS,
  socialLinkBody,
  toNetworkUrl,
} from './social-links.ts';

test.each(SOCIAL_NETWORKS)('%s accepts its own pages by handle, bare host or full URL', (network) => {
  const { base, hosts } = SOCIAL_NETWORK_DETAILS[network];
  expect(toNetworkUrl(network, '@some.one')).toBe(`${base}some.one`);
  expect(toNetworkUrl(network, ' some_one ')).toBe(`${base}some_one`);
  expect(isNetworkUrl(network, `${base}some.one`)).toBe(true);
  expect(toNetworkUrl(network, `${base}some.one`)).toBe(`${base}some.one`);
  for (const host of hosts.map((own) => own.replace('.*', '.com'))) {
    expect(toNetworkUrl(network, `${host}/one`)).toBe(`https://${host}/one`);
    for (const address of [`https://${host}/one`, `http://www.${host}/one?x=1#y`, `www.${host.toUpperCase()}/one`])
      expect([address, isNetworkUrl(network, address)]).toEqual([address, true]);
  }
});

test.each(SOCIAL_NETWORKS)('%s refuses URLs that only look like its own', (network) => {
  const host = SOCIAL_NETWORK_DETAILS[network].hosts[0]?.replace('.*', '.com') ?? '';
  for (const address of [
    `https://evil${host}/one`,
    `https://${host}.evil.com/one`,
    `https://${host}@evil.com/one`,
    `https://evil.com/${host}/one`,
    `https://evil.com\\.${host}/one`,
    `https://${host}:8443/one`,
    `https://${host}`,
    `https://${host}/`,
    `javascript://${host}/one`,
    `//${host}/one`,
    'https://example.com/one',
    '',
  ])
    expect([address, isNetworkUrl(network, address)]).toEqual([address, false]);
});

test('Pinterest accepts its country domains and refuses similar names', () => {
  for (const host of ['pinterest.de', 'pinterest.co.uk', 'www.pinterest.com.au', 'br.pinterest.com', 'pin.it'])
    expect([host, isNetworkUrl('pinterest', `https://${host}/one`)]).toEqual([host, true]);
  for (const host of ['pinterest.evil.com', 'notpinterest.com', 'pinterest.evil'])
    expect([host, isNetworkUrl('pinterest', `https://${host}/one`)]).toEqual([host, false]);
});

test('the validation error is on the url field and names the network', () => {
  const result = z.safeParse(socialLinkBody, { network: 'twitch', url: 'https://youtube.com/@one' });
  expect(result.error?.issues).toEqual([
    expect.objectContaining({
      path: ['url'],
      message: 'Enter a link to your Twitch page, such as https://www.twitch.tv/yourname',
    }),
  ]);
  expect(z.safeParse(socialLinkBody, { network: 'twitch', url: 'twitch' }).error?.issues[0]?.message).toBe(
    'Enter a link that starts with http://, https:// or www.',
  );
});

test('a custom link must be a public https page and is stored as browsers normalize it', () => {
  for (const [typed, stored] of [
    ['https://Shop.Example.com', 'https://shop.example.com/'],
    ['https://example.com/a b?x=<y>#z', 'https://example.com/a%20b?x=%3Cy%3E#z'],
    // Homographs become visible as Punycode.
    ['https://раураl.com/', 'https://xn--l-7sba6dbr.com/'],
    ['https://example.com\\@evil.com', 'https://example.com/@evil.com'],
  ])
    expect(z.safeParse(customLinkBody, { label: ' My  shop ', url: typed }).data).toEqual({
      label: 'My shop',
      url: stored,
    });
});

test.each([
  'http://example.com',
  'javascript:alert(1)',
  'JAVASCRIPT://example.com/%0aalert(1)',
  'data:text/html,x',
  '//example.com',
  'example.com',
  'https:example.com',
  'https:///example.com',
  'https:\\\\example.com',
  'https://user@example.com',
  'https://www.paypal.com:pay@evil.com',
  'https://example.com:8443',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://localhost/',
  'https://printer.local/',
  'https://169.254.169.254/latest',
  'https://exam\u202Eple.com/',
  'https://example',
  `https://example.com/${'x'.repeat(300)}`,
  '',
])('a custom link refuses %s', (url) => {
  expect(z.safeParse(customLinkBody, { label: 'Shop', url }).success).toBe(false);
});

test('a custom link needs a label, and drops invisible characters from it', () => {
  for (const label of ['', '  ', 'x'.repeat(41), '\u200b'])
    expect(z.safeParse(customLinkBody, { label, url: 'https://example.com/' }).success).toBe(false);
  expect(z.safeParse(customLinkBody, { label: 'My\u202E shop\u200b', url: 'https://example.com/' }).data?.label).toBe(
    'My shop',
  );
  expect(parsePublicUrl('https://example.com')).toBe('https://example.com/');
});
