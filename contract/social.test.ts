/** Links of the twelve networks: each leads to its own network and nowhere else, and a handle is enough (row B4). */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { SOCIAL_NETWORKS } from './atoms/limits.ts';
import { isOfNetwork, NETWORKS, networkAddress, socialLinkBody } from './social.ts';

test.each(SOCIAL_NETWORKS)('%s takes its own pages, by handle, bare host or whole address', (network) => {
  const { base, hosts } = NETWORKS[network];
  expect(networkAddress(network, '@some.one')).toBe(`${base}some.one`);
  expect(networkAddress(network, ' some_one ')).toBe(`${base}some_one`);
  expect(isOfNetwork(network, `${base}some.one`)).toBe(true);
  expect(networkAddress(network, `${base}some.one`)).toBe(`${base}some.one`);
  for (const host of hosts.map((own) => own.replace('.*', '.com'))) {
    expect(networkAddress(network, `${host}/one`)).toBe(`https://${host}/one`);
    for (const address of [`https://${host}/one`, `http://www.${host}/one?x=1#y`, `www.${host.toUpperCase()}/one`])
      expect([address, isOfNetwork(network, address)]).toEqual([address, true]);
  }
});

test.each(SOCIAL_NETWORKS)('%s refuses what only looks like it', (network) => {
  const host = NETWORKS[network].hosts[0]?.replace('.*', '.com') ?? '';
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
    expect([address, isOfNetwork(network, address)]).toEqual([address, false]);
});

test('countries of one network are its own, other names are not', () => {
  for (const host of ['pinterest.de', 'pinterest.co.uk', 'www.pinterest.com.au', 'br.pinterest.com', 'pin.it'])
    expect([host, isOfNetwork('pinterest', `https://${host}/one`)]).toEqual([host, true]);
  for (const host of ['pinterest.evil.com', 'notpinterest.com', 'pinterest.evil'])
    expect([host, isOfNetwork('pinterest', `https://${host}/one`)]).toEqual([host, false]);
});

test('the complaint belongs to the address and names the network', () => {
  const result = z.safeParse(socialLinkBody, { network: 'twitch', url: 'https://youtube.com/@one' });
  expect(result.error?.issues).toEqual([
    expect.objectContaining({
      path: ['url'],
      message: 'Please enter the address of your page on Twitch, such as https://www.twitch.tv/yourname',
    }),
  ]);
  expect(z.safeParse(socialLinkBody, { network: 'twitch', url: 'twitch' }).error?.issues[0]?.message).toBe(
    'Please enter a link that starts with http://, https:// or www.',
  );
});
