/** What an operator may stop at once. A route names what it is held by; what is uploaded is held by its rate as well. */
export const SWITCHES = ['signUp', 'newCreators', 'deposits', 'tips', 'calls', 'uploads', 'payouts'] as const;
export type SwitchName = (typeof SWITCHES)[number];

/** What people are told while it is off, unless the operator says it in other words. */
export const STOPPED_WORDS: Readonly<Record<SwitchName, string>> = {
  signUp: 'Sign-up is closed for the moment. Please come back a little later.',
  newCreators: 'New creators cannot sign up for the moment. Please come back a little later.',
  deposits: 'Funds cannot be added for the moment. Nothing is charged; your balance is as it was.',
  tips: 'Tips and paid messages are stopped for the moment. Nothing is charged.',
  calls: 'No new calls can be made for the moment. Nothing is charged.',
  uploads: 'Nothing can be uploaded for the moment. What you have stays as it is.',
  payouts: 'Sending payouts is stopped for the moment.',
};

/** What people are told during maintenance, unless the operator says it in other words. */
export const MAINTENANCE_WORDS =
  'We are working on Stagedoor. You can look around; changes are possible again in a moment.';
