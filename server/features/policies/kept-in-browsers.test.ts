/** The privacy policy must name every cookie and every other item stored in browsers, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { KEPT_IN_BROWSERS } from './texts/kept-in-browsers.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PUTS =
  /\b(?:setItem|indexedDB\.open|caches\.open|cookieLine|writeCookie|setCookie)\(\s*((?:[^,()]|\([^()]*\))+)/g;

const STORED = [
  ...(
    /STORED = \{([\s\S]*?)\} as const/.exec(readFileSync(path.join(ROOT, 'web/kernel/storage.ts'), 'utf8'))?.[1] ?? ''
  ).matchAll(/: '(\w+)'/g),
].map(([, name = '']) => name);
const HANDED_ON = [
  'web/kernel/storage.ts key: string',
  'web/kernel/cookies.ts name: string',
  'web/kernel/cookies.ts name',
];

/** Maps a file and an expression in its code to the names in the policy. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'server/features/accounts/known-devices.ts deviceCookie(ctx.config)': ['device', '__Host-device'],
  'server/features/accounts/sessions.ts sessionCookie(ctx.config)': ['sid', '__Host-sid'],
  'server/features/accounts/sessions.ts LOGGED_IN_COOKIE': ['loggedIn'],
  'web/app/area.ts REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/app/preferences.ts AGE_COOKIE': ['age'],
  'web/app/preferences.ts THEME_COOKIE': ['theme'],
  'web/kernel/after-login.ts REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/kernel/theme.ts THEME_COOKIE': ['theme'],
  'web/kernel/session.ts REFERRAL_CODE_COOKIE': ['referralCode'],
  'web/kernel/session.ts REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/pages/invitation.tsx REFERRAL_CODE_COOKIE': ['referralCode'],
  'web/pages/login.tsx REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/pages/signup.tsx REFERRAL_CODE_COOKIE': ['referralCode'],
  'web/pages/signup.tsx REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/features/chat/composer/drafts.ts key': ['draft:…'],
  'web/features/chat/outbox/store.ts CHAT_DATABASE': ['stagedoor-chat'],
  'web/features/chat/thread/place.ts keyOf(thread)': ['chat-place:…'],
  'web/features/house/notices.tsx CLOSED_COOKIE': ['closed'],
  'web/features/installed/rules.ts KEY': ['installAsked'],
  'web/features/installed/seen.ts SEEN_PREFIX + id': ['seen-…'],
  'web/features/installed/update.ts RELOADED': ['reloadedFor'],
  'web/features/notifications/push/device.ts wishKey(userId)': ['push:…'],
  'web/features/notifications/push/listen.ts key': ['pushFirstVisit:…'],
  'web/features/player/habits.ts KEY': ['player'],
  'web/features/player/use-position.ts leftKey(id)': ['left:…'],
  'web/features/posts/caught-up.ts key': ['feedSeen:…', 'feedVisit:…'],
  'web/features/publishing/handles.ts DATABASE': ['publishing'],
  'web/features/publishing/unfinished.ts PREFIX + upload.key': ['unfinished-upload:…'],
  'web/features/wallet/deposit-memory.ts KEY': ['deposit'],
  'web/kernel/storage.ts key': STORED,
  'web/offline/offline.ts SEEN_PREFIX + id': ['seen-…'],
  'web/pages/fan/place.ts key': ['place:…'],
  'web/workers/app-worker.ts SHELL': ['shell-…'],
};

function files(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|testing|^build/.test(file))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')));
}

it('the privacy policy names every item stored in browsers', () => {
  const found = new Set(
    [...files('web'), ...files('server')].flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      if (!/setItem\(|indexedDB\.open|caches\.open|[cC]ookie/.test(text)) return [];
      return [...text.matchAll(PUTS)].map(([, name = '']) => `${file} ${name.trim()}`);
    }),
  );
  const names = new Set(Object.values(NAMED).flat());
  expect(
    [...found].filter((place) => !NAMED[place] && !HANDED_ON.includes(place)),
    `add to NAMED in server/features/policies/kept-in-browsers.test.ts: 'file name': ['the name in the browser'], and that name to texts/kept-in-browsers.ts beside it`,
  ).toEqual([]);
  expect(Object.keys(NAMED).filter((place) => !found.has(place))).toEqual([]);
  expect(new Set(KEPT_IN_BROWSERS.flatMap(({ name }) => name.split(', ')))).toEqual(names);
});

/** The constants are in seconds. Lifetimes of the server's own cookies are printed from their constants. */
const LIFETIMES = [
  ['closed', 'web/features/house/notices.tsx', 'CLOSED_SECONDS'],
  ['theme', 'web/kernel/theme.ts', 'THEME_SECONDS'],
  ['age', 'web/kernel/session.ts', 'AGE_SECONDS'],
  ['referralUrl', 'web/kernel/session.ts', 'REFERRAL_URL_SECONDS'],
  ['referralCode', 'web/kernel/session.ts', 'REFERRAL_CODE_SECONDS'],
] as const;
const SERVERS = ['sid, __Host-sid', 'loggedIn', 'device, __Host-device'];

it('the privacy policy states the lifetime of each cookie', () => {
  const cookies = KEPT_IN_BROWSERS.filter(({ place }) => place === 'cookie');
  expect(cookies.map(({ name }) => name)).toEqual([...SERVERS, ...LIFETIMES.map(([name]) => name)]);
  for (const [name, file, constant] of LIFETIMES) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const [, product = ''] = new RegExp(`const ${constant} = ([\\d_ *]+);`).exec(text) ?? [];
    const seconds = product.split('*').reduce((so, factor) => so * Number(factor.replaceAll('_', '')), 1);
    const words = seconds === 3_600 ? 'An hour' : `${seconds / 86_400} days`;
    expect(cookies.find((cookie) => cookie.name === name)?.kept?.split(',')[0], name).toBe(words);
  }
});
