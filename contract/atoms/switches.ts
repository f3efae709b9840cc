/** Features that an operator can disable. Routes name theirs; uploads are also covered by their rate class. */
export const SWITCHES = ['signUp', 'newCreators', 'deposits', 'tips', 'calls', 'uploads', 'payouts'] as const;
export type SwitchName = (typeof SWITCHES)[number];

export const STOPPED_WORDS: Readonly<Record<SwitchName, string>> = {
  signUp: 'Sign-up is closed for the moment. Please come back a little later.',
  newCreators: 'New creators cannot sign up for the moment. Please come back a little later.',
  deposits: 'Funds cannot be added for the moment. Nothing is charged; your balance is as it was.',
  tips: 'Tips and paid messages are stopped for the moment. Nothing is charged.',
  calls: 'No new calls can be made for the moment. Nothing is charged.',
  uploads: 'Nothing can be uploaded for the moment. What you have stays as it is.',
  payouts: 'Sending payouts is stopped for the moment.',
};

export const MAINTENANCE_WORDS =
  'We are working on Stagedoor. You can look around; changes are possible again in a moment.';
