/** The privacy policy prints this list, and a test compares it with the code. */
import { RETENTION_DAYS } from '../../../../platform/retention.ts';

export const BROWSER_STORAGE_LABELS = {
  cookie: 'Cookie',
  device: 'Device',
  tab: 'Tab',
} as const;

const formatDays = (key: keyof typeof RETENTION_DAYS) => `${RETENTION_DAYS[key]} days`;

export type BrowserStorageItem = {
  /**
   * The name in the browser. `…` stands for an id. Over HTTPS the session and device cookies have the prefix `__Host-`.
   */
  readonly name: string;
  readonly storage: keyof typeof BROWSER_STORAGE_LABELS;
  readonly what: string;
  /** The field is omitted if the item ends with the tab. */
  readonly retention?: string;
};

const UNTIL_LOG_OUT = 'Until you log out';

export const BROWSER_STORAGE: readonly BrowserStorageItem[] = [
  {
    name: 'sid, __Host-sid',
    storage: 'cookie',
    what: 'The session: that it is you',
    retention: `${formatDays('idleSession')} after its last use`,
  },
  {
    name: 'loggedIn',
    storage: 'cookie',
    what: 'That there is a session',
    retention: `${formatDays('idleSession')} after its last use`,
  },
  {
    name: 'device, __Host-device',
    storage: 'cookie',
    what: 'Recognized browser',
    retention: formatDays('knownDevice'),
  },
  { name: 'dismissed', storage: 'cookie', what: 'Which announcements you closed', retention: '100 days' },
  { name: 'theme', storage: 'cookie', what: 'Light or dark', retention: '400 days' },
  { name: 'zone', storage: 'cookie', what: 'Your time zone, for times on pages', retention: '400 days' },
  { name: 'age', storage: 'cookie', what: 'Your answer to the age question', retention: '400 days' },
  { name: 'referralUrl', storage: 'cookie', what: 'The page that you came for', retention: 'An hour' },
  { name: 'referralCode', storage: 'cookie', what: 'Who invited you', retention: '30 days, or until you sign up' },
  { name: 'user, type', storage: 'device', what: 'Who is logged in, and as what', retention: UNTIL_LOG_OUT },
  { name: 'unsentOf', storage: 'device', what: 'Whose unsent words are here', retention: UNTIL_LOG_OUT },
  { name: 'referralCode', storage: 'device', what: 'Who invited you', retention: 'Until you sign up' },
  { name: 'draft:…', storage: 'device', what: 'What you wrote in chat and have not sent', retention: UNTIL_LOG_OUT },
  { name: 'stagedoor-chat', storage: 'device', what: 'Messages that wait to be sent', retention: UNTIL_LOG_OUT },
  {
    name: 'publishing',
    storage: 'device',
    what: 'Where the files are that you are uploading',
    retention: 'Until they are uploaded',
  },
  {
    name: 'unfinished-upload:…',
    storage: 'device',
    what: 'How far an upload came',
    retention: 'Until it is done, at most a day',
  },
  {
    name: 'feedSeen:…',
    storage: 'device',
    what: 'Up to where you have seen your feed',
    retention: 'Until you clear it',
  },
  { name: 'player', storage: 'device', what: 'Volume, speed and captions', retention: 'Until you clear it' },
  { name: 'push:…', storage: 'device', what: 'Whether push notifications are on', retention: 'Until you clear it' },
  {
    name: 'pushFirstVisit:…',
    storage: 'device',
    what: 'When you first came here on this device',
    retention: 'Until you clear it',
  },
  { name: 'installAsked', storage: 'device', what: 'When you were asked to install', retention: 'Until you clear it' },
  {
    name: 'shell-…',
    storage: 'device',
    what: 'The page that shows while there is no network',
    retention: 'Until the next release',
  },
  { name: 'seen-…', storage: 'device', what: 'What you saw last, for that page', retention: UNTIL_LOG_OUT },
  { name: 'registered', storage: 'tab', what: 'Whom you just signed up as' },
  { name: 'deviceSessionId', storage: 'tab', what: 'A random name of this tab' },
  { name: 'visitedRoutes, previousUrl', storage: 'tab', what: 'The last four pages, to lead you back' },
  { name: 'feedVisit:…', storage: 'tab', what: 'Where this visit to your feed began' },
  { name: 'deposit', storage: 'tab', what: 'The deposit that you are making' },
  { name: 'pendingTip', storage: 'tab', what: 'The tip that you have not sent yet' },
  { name: 'pendingCall', storage: 'tab', what: 'The call that you were setting up when you added funds' },
  { name: 'chat-place:…', storage: 'tab', what: 'Where you were in a conversation' },
  { name: 'place:…', storage: 'tab', what: 'Where you were in a list' },
  { name: 'left:…', storage: 'tab', what: 'Where you stopped watching' },
  { name: 'reloadedFor', storage: 'tab', what: 'App version this tab reloaded for' },
];
