/** The privacy policy must name every cookie and every other item stored in browsers, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { BROWSER_STORAGE } from './texts/browser-storage.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const STORAGE_CALL =
  /\b(?:setItem|indexedDB\.open|caches\.open|formatCookie|writeCookie|setCookie)\(\s*((?:[^,()]|\([^()]*\))+)/g;

const STORED = [
  ...(
    /STORAGE_KEYS = \{([\s\S]*?)\} as const/.exec(
      readFileSync(path.join(ROOT, 'web/platform/storage.ts'), 'utf8'),
    )?.[1] ?? ''
  ).matchAll(/: '(\w+)'/g),
].map(([, name = '']) => name);
const FORWARDED = [
  'web/platform/browser-storage.ts key: string',
  'web/platform/browser-storage.ts key',
  'web/platform/cookies.ts name: string',
  'web/platform/cookies.ts name',
];

/** Maps a file and an expression in its code to the names in the policy. */
const NAMES_BY_CODE: Readonly<Record<string, readonly string[]>> = {
  'server/modules/identity/accounts/known-devices.ts getDeviceCookieName(ctx.config)': ['device', '__Host-device'],
  'server/modules/identity/accounts/sessions.ts getSessionCookieName(ctx.config)': ['sid', '__Host-sid'],
  'server/modules/identity/accounts/sessions.ts LOGGED_IN_COOKIE': ['loggedIn'],
  'web/app/area.ts REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/app/preferences.ts AGE_COOKIE': ['age'],
  'web/app/preferences.ts COLOR_SCHEME_COOKIE': ['theme'],
  'web/platform/login-destination.ts REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/platform/color-scheme.ts COLOR_SCHEME_COOKIE': ['theme'],
  'web/platform/session.ts REFERRAL_CODE_COOKIE': ['referralCode'],
  'web/platform/session.ts REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/pages/invitation.tsx REFERRAL_CODE_COOKIE': ['referralCode'],
  'web/pages/login.tsx REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/pages/signup.tsx REFERRAL_CODE_COOKIE': ['referralCode'],
  'web/pages/signup.tsx REFERRAL_URL_COOKIE': ['referralUrl'],
  'web/modules/messaging/chat/composer/drafts.ts key': ['draft:…'],
  'web/modules/messaging/chat/outbox/store.ts CHAT_DATABASE': ['stagedoor-chat'],
  'web/modules/messaging/chat/thread/scroll-position.ts toStorageKey(thread)': ['chat-place:…'],
  'web/modules/commerce/site-status/site-status-banners.tsx DISMISSED_COOKIE': ['dismissed'],
  'web/platform/pwa/install-rules.ts HIDDEN_UNTIL_KEY': ['installAsked'],
  'web/platform/pwa/offline-content.ts SEEN_PREFIX + id': ['seen-…'],
  'web/platform/pwa/app-update.ts RELOADED_KEY': ['reloadedFor'],
  'web/modules/notifications/push/device.ts preferenceKey(userId)': ['push:…'],
  'web/modules/notifications/push/start-push.ts key': ['pushFirstVisit:…'],
  'web/modules/content/media/player/player-settings.ts STORAGE_KEY': ['player'],
  'web/modules/content/media/player/use-position.ts lastPositionKey(id)': ['left:…'],
  'web/modules/content/posts/caught-up.ts seenKey(viewerId)': ['feedSeen:…'],
  'web/modules/content/posts/caught-up.ts visitKey(viewerId)': ['feedVisit:…'],
  'web/modules/content/drafts/file-handles.ts DATABASE': ['publishing'],
  'web/modules/content/drafts/unfinished-uploads.ts PREFIX + upload.key': ['unfinished-upload:…'],
  'web/platform/deposit-memory.ts STORAGE_KEY': ['deposit'],
  'web/modules/finance/wallet/pending-tip.ts STORAGE_KEY': ['pendingTip'],
  'web/modules/messaging/calls/pending-call.ts STORAGE_KEY': ['pendingCall'],
  'web/platform/storage.ts key': STORED,
  'web/platform/time-zone.ts TIME_ZONE_COOKIE': ['zone'],
  'web/offline/offline.ts SEEN_PREFIX + id': ['seen-…'],
  'web/pages/fan/feed-position.ts key': ['place:…'],
  'web/workers/app-worker.ts SHELL': ['shell-…'],
  'web/workers/queued-messages.ts database': ['stagedoor-chat'],
};

function listFiles(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|testing|^build/.test(file))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')));
}

it('the privacy policy names every item stored in browsers', () => {
  const usages = new Set(
    [...listFiles('web'), ...listFiles('server')].flatMap((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      if (!/setItem\(|indexedDB\.open|caches\.open|[cC]ookie/.test(text)) return [];
      return [...text.matchAll(STORAGE_CALL)].map(([, name = '']) => `${file} ${name.trim()}`);
    }),
  );
  const names = new Set(Object.values(NAMES_BY_CODE).flat());
  expect(
    [...usages].filter((usage) => !NAMES_BY_CODE[usage] && !FORWARDED.includes(usage)),
    `add to NAMES_BY_CODE in server/modules/trust/legal/browser-storage.test.ts: 'file name': ['the name in the browser'], and that name to texts/browser-storage.ts beside it`,
  ).toEqual([]);
  expect(Object.keys(NAMES_BY_CODE).filter((usage) => !usages.has(usage))).toEqual([]);
  expect(new Set(BROWSER_STORAGE.flatMap(({ name }) => name.split(', ')))).toEqual(names);
});

/** The constants are in seconds. Lifetimes of the server's own cookies are printed from their constants. */
const LIFETIMES = [
  ['dismissed', 'web/modules/commerce/site-status/site-status-banners.tsx', 'DISMISSED_SECONDS'],
  ['theme', 'web/platform/color-scheme.ts', 'COLOR_SCHEME_SECONDS'],
  ['zone', 'web/platform/time-zone.ts', 'TIME_ZONE_SECONDS'],
  ['age', 'web/platform/session.ts', 'AGE_SECONDS'],
  ['referralUrl', 'web/platform/session.ts', 'REFERRAL_URL_SECONDS'],
  ['referralCode', 'web/platform/session.ts', 'REFERRAL_CODE_SECONDS'],
] as const;
const SERVER_COOKIES = ['sid, __Host-sid', 'loggedIn', 'device, __Host-device'];

it('the privacy policy states the lifetime of each cookie', () => {
  const cookies = BROWSER_STORAGE.filter(({ storage }) => storage === 'cookie');
  expect(cookies.map(({ name }) => name)).toEqual([...SERVER_COOKIES, ...LIFETIMES.map(([name]) => name)]);
  for (const [name, file, constant] of LIFETIMES) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const [, product = ''] = new RegExp(`const ${constant} = ([\\d_ *]+);`).exec(text) ?? [];
    const seconds = product.split('*').reduce((total, factor) => total * Number(factor.replaceAll('_', '')), 1);
    const expected = seconds === 3_600 ? 'An hour' : `${seconds / 86_400} days`;
    expect(cookies.find((cookie) => cookie.name === name)?.retention?.split(',')[0], name).toBe(expected);
  }
});
