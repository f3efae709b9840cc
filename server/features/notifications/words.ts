import { policyPath } from '@stagedoor/contract/public-addresses.ts';
import * as z from 'zod/mini';
import type { EventPayload } from '../../kernel/events.ts';

type Words = { text: string; detail?: string };

type Change = EventPayload<'debt.changed'>['change'];
const DEBTS: Readonly<Record<Change, (sum: string) => Words>> = {
  owed: (sum) => ({
    text: `You owe ${sum}`,
    detail: 'A payment was taken back. What you add to your balance goes there first.',
  }),
  workedOff: (sum) => ({ text: `${sum} of your balance went to what you owed` }),
  writtenOff: (sum) => ({ text: `You no longer owe ${sum}` }),
  won: (sum) => ({ text: `A chargeback of ${sum} was withdrawn` }),
  notWon: (sum) => ({ text: `A chargeback of ${sum} was not withdrawn after all` }),
  blocked: () => ({ text: 'Spending is blocked on your account', detail: 'Please write to us.' }),
  unblocked: () => ({ text: 'You can spend again' }),
};
const isChange = (note: string): note is Change => note in DEBTS;

export const debtWords = (note: string, sum: string): Words =>
  isChange(note) ? DEBTS[note](sum) : { text: 'What you owe changed' };

export const PAYOUT_WORDS: Readonly<Record<string, string>> = {
  requested: 'You requested a payout',
  approved: 'Your payout was approved',
  rejected: 'Your payout was not approved',
  sent: 'Your payout is on its way',
  broadcast: 'Your payout is on its way',
  paid: 'Your payout arrived',
  failed: 'Your payout failed, and the money is available again',
  returned: 'Your payout came back, and the money is available again',
};

const METHODS: Readonly<Record<EventPayload<'payout.methodChanged'>['change'], string>> = {
  added: 'A payout method was added',
  replaced: 'A payout method was replaced',
  removed: 'A payout method was removed',
};
const isMethodChange = (word: string): word is keyof typeof METHODS => word in METHODS;

/** `note` contains the change and a label of the method without its number. */
export function methodWords(note: string): Words {
  const [change = '', ...words] = note.split(' ');
  return {
    text: isMethodChange(change) ? METHODS[change] : 'Your payout methods changed',
    detail: `${words.join(' ')}. If it was not you, set a new password at once.`,
  };
}

export const VERIFICATION_WORDS: Readonly<Record<string, string>> = {
  verified: 'You are verified',
  failed: 'Your documents could not be read',
  declined: 'Your verification was declined',
};

const SECURITY: Readonly<Record<EventPayload<'account.secured'>['change'], string>> = {
  newDevice: 'New log-in',
  passwordChanged: 'Your password was changed',
  twoFactorOn: 'Two-factor log-in is on',
  twoFactorOff: 'Two-factor log-in is off',
};
const isSecured = (word: string): word is keyof typeof SECURITY => word in SECURITY;

/** `note` contains the change and, for a login, the device. */
export function securityWords(note: string): Words {
  const [change = '', ...device] = note.split(' ');
  const from = device.length > 0 ? ` with ${device.join(' ')}` : '';
  return {
    text: `${isSecured(change) ? SECURITY[change] : 'Your account changed'}${from}`,
    detail: 'If it was not you, set a new password at once.',
  };
}

export const CASE_WORDS: Readonly<Record<string, { text: string; detail?: string }>> = {
  answered: { text: 'We answered you', detail: 'It is in your help desk.' },
  mailed: { text: 'We answered you', detail: 'It is in your mail.' },
  acted: { text: 'We did something about what you reported', detail: 'Thank you for telling us.' },
  nothing: {
    text: 'We looked at what you reported',
    detail: 'It is within our rules. Thank you for telling us all the same.',
  },
  again: { text: 'We look again at what you reported', detail: 'We closed it too early.' },
  upheld: { text: 'Somebody else looked at your appeal', detail: 'The decision stays. The reason is in your mail.' },
  overturned: { text: 'Your appeal was right', detail: 'The decision was taken back.' },
};

const policyNote = z.object({ policy: z.string(), version: z.string(), title: z.string(), changes: z.string() });

/** `note` contains the legal text, its version and the changes. */
export function policyWords(note: string): Words & { href: string } {
  const { policy, version, title, changes } = z.parse(policyNote, JSON.parse(note));
  return { text: `A new version is in force: ${title}`, detail: changes, href: policyPath(policy, version) };
}
