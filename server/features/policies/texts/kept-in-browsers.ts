/** The privacy policy prints this list, and a test compares it with the code. */
import { RETENTION_DAYS } from '../../../kernel/retention.ts';

export const BROWSER_PLACES = {
  cookie: 'Cookie',
  device: 'Device',
  tab: 'Tab',
} as const;

const days = (what: keyof typeof RETENTION_DAYS) => `${RETENTION_DAYS[what]} days`;

export type KeptInBrowser = {
  /**
   * The name in the browser. `…` stands for an id. Over HTTPS the session and device cookies have the prefix `__Host-`.
   */
  readonly name: string;
  readonly place: keyof typeof BROWSER_PLACES;
  readonly what: string;
  /** The field is omitted if the item ends with the tab. */
  readonly kept?: string;
};

const UNTIL_LOG_OUT = 'Until you log out';

export const KEPT_IN_BROWSERS: readonly KeptInBrowser[] = [
  {
    name: 'sid, __Host-sid',
    place: 'cookie',
    what: 'The session: that it is you',
    kept: `${days('idleSession')} after its last use`,
  },
  {
    name: 'loggedIn',
    place: 'cookie',
    what: 'That there is a session',
    kept: `${days('idleSession')} after its last use`,
  },
  {
    name: 'device, __Host-device',
    place: 'cookie',
    what: 'Recognized browser',
    kept: days('knownDevice'),
  },
  { name: 'closed', place: 'cookie', what: 'Which announcements you closed', kept: '100 days' },
  { name: 'theme', place: 'cookie', what: 'Light or dark', kept: '400 days' },
  { name: 'age', place: 'cookie', what: 'Your answer to the age question', kept: '400 days' },
  { name: 'referralUrl', place: 'cookie', what: 'The page that you came for', kept: 'An hour' },
  { name: 'referralCode', place: 'cookie', what: 'Who invited you', kept: '30 days, or until you sign up' },
  { name: 'user, type', place: 'device', what: 'Who is logged in, and as what', kept: UNTIL_LOG_OUT },
  { name: 'unsentOf', place: 'device', what: 'Whose unsent words are here', kept: UNTIL_LOG_OUT },
  { name: 'referralCode', place: 'device', what: 'Who invited you', kept: 'Until you sign up' },
  { name: 'draft:…', place: 'device', what: 'What you wrote in chat and have not sent', kept: UNTIL_LOG_OUT },
  { name: 'stagedoor-chat', place: 'device', what: 'Messages that wait to be sent', kept: UNTIL_LOG_OUT },
  {
    name: 'publishing',
    place: 'device',
    what: 'Where the files are that you are uploading',
    kept: 'Until they are uploaded',
  },
  {
    name: 'unfinished-upload:…',
    place: 'device',
    what: 'How far an upload came',
    kept: 'Until it is done, at most a day',
  },
  { name: 'feedSeen:…', place: 'device', what: 'Up to where you have seen your feed', kept: 'Until you clear it' },
  { name: 'player', place: 'device', what: 'Volume, speed and captions', kept: 'Until you clear it' },
  { name: 'push:…', place: 'device', what: 'Whether push notifications are on', kept: 'Until you clear it' },
  {
    name: 'pushFirstVisit:…',
    place: 'device',
    what: 'When you first came here on this device',
    kept: 'Until you clear it',
  },
  { name: 'installAsked', place: 'device', what: 'When you were asked to install', kept: 'Until you clear it' },
  {
    name: 'shell-…',
    place: 'device',
    what: 'The page that shows while there is no network',
    kept: 'Until the next release',
  },
  { name: 'seen-…', place: 'device', what: 'What you saw last, for that page', kept: UNTIL_LOG_OUT },
  { name: 'registered', place: 'tab', what: 'Whom you just signed up as' },
  { name: 'deviceSessionId', place: 'tab', what: 'A random name of this tab' },
  { name: 'visitedRoutes, previousUrl', place: 'tab', what: 'The last four pages, to lead you back' },
  { name: 'feedVisit:…', place: 'tab', what: 'Where this visit to your feed began' },
  { name: 'deposit', place: 'tab', what: 'The deposit that you are making' },
  { name: 'chat-place:…', place: 'tab', what: 'Where you were in a conversation' },
  { name: 'place:…', place: 'tab', what: 'Where you were in a list' },
  { name: 'left:…', place: 'tab', what: 'Where you stopped watching' },
  { name: 'reloadedFor', place: 'tab', what: 'App version this tab reloaded for' },
];
