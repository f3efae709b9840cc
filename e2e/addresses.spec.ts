/**
 * The exact addresses of the specification (rows W4 and B1 to B9): who can open each, and where all others are
 * redirected.
 */

import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { getDemoContent, getFirstId } from './support/demo-content.ts';
import { type ApiClient, callApi, expect, getBaseUrl, logIn, test } from './support/fixtures.ts';

const PUBLIC =
  '/ /2257 /become-creator /dmca /how-works /themes /theme-edit /plans /privacy-policy /terms-of-service /contact-us /pricing /complaints /profile/:id /post/:id /r/:id /login /signup /forgot-password /confirm-mail /success-mail';
const FAN =
  '/fan /fan/feed /fan/media /fan/profile /fan/notifications /fan/wallet /fan/follow /fan/chat /fan/helpdesk /fan/referral';
const CREATOR =
  '/creator /creator/feed /creator/chat /creator/earning /creator/fees /creator/profile /creator/notifications /creator/profile/settings /creator/profile/verification /creator/post/add /creator/media /creator/media/:id /creator/media/edit/:id /creator/helpdesk /creator/referral';

test('each address opens for its roles and redirects all others to the log-in or home', async ({ playwright }) => {
  const makeClient = async () => ({ request: await playwright.request.newContext() });
  const [visitor, fan, creator] = [await makeClient(), await makeClient(), await makeClient()];
  await logIn(fan, 'demo.fan');
  await logIn(creator, 'demo.creator');
  const { username, open: post } = await getDemoContent(visitor);
  const { code } = await callApi<{ code: string }>(creator, 'GET', '/affiliate/code');
  const media = await getFirstId(creator, '/creator/media', 'media');
  const idsByPath: Readonly<Record<string, string>> = { '/profile': username, '/post': post, '/r': code };
  const listPaths = (list: string) =>
    list
      .split(' ')
      .map((path) => path.replace(/^(.*)\/:id$/, (_, before: string) => `${before}/${idsByPath[before] ?? media}`));
  const getOutcome = async ({ request }: ApiClient, path: string) => {
    const response = await request.get(`${getBaseUrl()}${path}`, { maxRedirects: 0, headers: { accept: 'text/html' } });
    const { location } = response.headers();
    return location === undefined ? response.status() : new URL(location, getBaseUrl()).pathname;
  };
  const listOutcomes = async (client: ApiClient, list: string) => {
    const outcomes: [string, number | string][] = [];
    for (const path of listPaths(list)) outcomes.push([path, await getOutcome(client, path)]);
    return outcomes;
  };
  const toOutcomes = (list: string, outcome: number | string) => listPaths(list).map((path) => [path, outcome]);

  expect(await listOutcomes(visitor, PUBLIC)).toEqual(toOutcomes(PUBLIC, 200));
  expect(await listOutcomes(visitor, FAN)).toEqual(toOutcomes(FAN, '/login'));
  expect(await listOutcomes(visitor, CREATOR)).toEqual(toOutcomes(CREATOR, '/login'));
  expect(await listOutcomes(fan, FAN)).toEqual(toOutcomes(FAN, 200));
  expect(await listOutcomes(fan, CREATOR)).toEqual(toOutcomes(CREATOR, '/fan/feed'));
  expect(await listOutcomes(creator, CREATOR)).toEqual(toOutcomes(CREATOR, 200));
  expect(await getOutcome(creator, PUBLIC_PATHS.themeEdit)).toBe(200);
  expect(await getOutcome(fan, PUBLIC_PATHS.themeEdit)).toBe('/fan/feed');
  expect(await listOutcomes(creator, FAN)).toEqual(toOutcomes(FAN, '/creator'));
  expect(await getOutcome(visitor, '/no/such/page')).toBe(404);
  for (const { request } of [visitor, fan, creator]) await request.dispose();
});
