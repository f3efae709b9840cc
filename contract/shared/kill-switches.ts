/** Features that an operator can disable. Routes name theirs; uploads are also covered by their rate class. */
export const KILL_SWITCHES = [
  'signUp',
  'newCreators',
  'deposits',
  'tips',
  'subscriptions',
  'cardSubscriptions',
  'calls',
  'uploads',
  'payouts',
] as const;
export type KillSwitch = (typeof KILL_SWITCHES)[number];

export const KILL_SWITCH_MESSAGES: Readonly<Record<KillSwitch, string>> = {
  signUp: 'Sign-up is temporarily closed. Try again later.',
  newCreators: 'Creator sign-up is temporarily closed. Try again later.',
  deposits: 'Adding funds is temporarily unavailable. You weren’t charged.',
  tips: 'Tips and chat unlocks are temporarily unavailable. You weren’t charged.',
  subscriptions: 'Subscribing and paying renewals are temporarily unavailable. You weren’t charged.',
  cardSubscriptions: 'Subscribing by card is temporarily unavailable. You weren’t charged.',
  calls: 'Calls are temporarily unavailable. You weren’t charged.',
  uploads: 'Uploads are temporarily unavailable. Your files are safe.',
  payouts: 'Payouts are temporarily paused.',
};

export const MAINTENANCE_MESSAGE = 'We’re doing maintenance. You can browse, but changes are off for now.';
