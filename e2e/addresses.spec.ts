/**
 * The exact addresses of the specification (rows W4 and B1 to B9): who can open each, and where all others are
 * redirected.
 */
import { type ApiClient, baseUrl, callApi, expect, logIn, test } from './support/fixtures.ts';
import { demoPlaces, firstId } from './support/places.ts';

const PUBLIC =
  '/ /2257 /become-creator /dmca /how-works /themes /plans /privacy-policy /terms-of-service /contact-us /pricing /complaints /profile/:id /post/:id /r/:id /login /signup /forgot-password /confirm-mail /success-mail';
const FAN =
  '/fan /fan/feed /fan/media /fan/profile /fan/notifications /fan/wallet /fan/follow /fan/chat /fan/helpdesk /fan/referral';
/** /theme-edit shows a creator’s own page. */
const CREATOR =
  '/creator /creator/feed /creator/chat /creator/earning /creator/fees /creator/profile /creator/notifications /creator/profile/settings /creator/profile/verification /creator/post/add /creator/media /creator/media/:id /creator/media/edit/:id /creator/helpdesk /creator/referral /theme-edit';

test('each address opens for its roles and redirects all others to the log-in or home', async ({ playwright }) => {
  const makeClient = async () => ({ request: await playwright.request.newContext() });
  const [visitor, fan, creator] = [await makeClient(), await makeClient(), await makeClient()];
  await logIn(fan, 'demo.fan');
  await logIn(creator, 'demo.creator');
  const { username, open: post } = await demoPlaces(visitor);
  const { code } = await callApi<{ code: string }>(creator, 'GET', '/affiliate/code');
  const media = await firstId(creator, '/creator/media', 'media');
  const idsOf: Readonly<Record<string, string>> = { '/profile': username, '/post': post, '/r': code };
  const namedBy = (list: string) =>
    list
      .split(' ')
      .map((path) => path.replace(/^(.*)\/:id$/, (_, before: string) => `${before}/${idsOf[before] ?? media}`));
  const answerTo = async ({ request }: ApiClient, path: string) => {
    const answer = await request.get(`${baseUrl()}${path}`, { maxRedirects: 0, headers: { accept: 'text/html' } });
    const { location } = answer.headers();
    return location === undefined ? answer.status() : new URL(location, baseUrl()).pathname;
  };
  const answersTo = async (who: ApiClient, list: string) => {
    const answers: [string, number | string][] = [];
    for (const path of namedBy(list)) answers.push([path, await answerTo(who, path)]);
    return answers;
  };
  const all = (list: string, answer: number | string) => namedBy(list).map((path) => [path, answer]);

  expect(await answersTo(visitor, PUBLIC)).toEqual(all(PUBLIC, 200));
  expect(await answersTo(visitor, FAN)).toEqual(all(FAN, '/login'));
  expect(await answersTo(visitor, CREATOR)).toEqual(all(CREATOR, '/login'));
  expect(await answersTo(fan, FAN)).toEqual(all(FAN, 200));
  expect(await answersTo(fan, CREATOR)).toEqual(all(CREATOR, '/fan/feed'));
  expect(await answersTo(creator, CREATOR)).toEqual(all(CREATOR, 200));
  expect(await answersTo(creator, FAN)).toEqual(all(FAN, '/creator'));
  expect(await answerTo(visitor, '/no/such/page')).toBe(404);
  for (const { request } of [visitor, fan, creator]) await request.dispose();
});
