import { policyPath } from '@stagedoor/contract/public-addresses.ts';
import * as z from 'zod/mini';
import type { EventPayload } from '../../kernel/events.ts';

type Words = { text: string; detail?: string };

type Change = EventPayload<'debt.changed'>['change'];
const DEBTS: Readonly<Record<Change, (sum: string) => Words>> = {
  owed: (sum) => ({
    text: `You owe ${sum}`,
    detail: 'A payment was reversed. Funds you add will pay this off first.',
  }),
  workedOff: (sum) => ({ text: `${sum} used to pay your outstanding balance` }),
  writtenOff: (sum) => ({ text: `You no longer owe ${sum}` }),
  won: (sum) => ({ text: `Chargeback of ${sum} reversed` }),
  notWon: (sum) => ({ text: `Chargeback of ${sum} reinstated` }),
  blocked: () => ({ text: 'Spending is paused on your account', detail: 'Contact support.' }),
  unblocked: () => ({ text: 'You can spend again' }),
};
const isChange = (note: string): note is Change => note in DEBTS;

export const debtWords = (note: string, sum: string): Words =>
  isChange(note) ? DEBTS[note](sum) : { text: 'Outstanding balance update' };

export const PAYOUT_WORDS: Readonly<Record<string, string>> = {
  requested: 'You requested a payout',
  approved: 'Your payout was approved',
  rejected: 'Your payout was declined',
  sent: 'Your payout is on its way',
  broadcast: 'Your payout is on its way',
  paid: 'Your payout arrived',
  failed: 'Your payout failed. The money is available again',
  returned: 'Your payout was returned. The money is available again',
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
    text: isMethodChange(change) ? METHODS[change] : 'Payout methods update',
    detail: `${words.join(' ')}. Wasn’t you? Change your password now.`,
  };
}

export const VERIFICATION_WORDS: Readonly<Record<string, string>> = {
  verified: 'You’re verified',
  failed: 'We couldn’t read your documents',
  declined: 'Your verification was declined',
};

const SECURITY: Readonly<Record<EventPayload<'account.secured'>['change'], string>> = {
  newDevice: 'New login',
  passwordChanged: 'Your password was changed',
  twoFactorOn: 'Two-factor authentication is on',
  twoFactorOff: 'Two-factor authentication is off',
};
const isSecured = (word: string): word is keyof typeof SECURITY => word in SECURITY;

/** `note` contains the change and, for a login, the device. */
export function securityWords(note: string): Words {
  const [change = '', ...device] = note.split(' ');
  const from = device.length > 0 ? ` from ${device.join(' ')}` : '';
  return {
    text: `${isSecured(change) ? SECURITY[change] : 'Account update'}${from}`,
    detail: 'Wasn’t you? Change your password now.',
  };
}

export const CASE_WORDS: Readonly<Record<string, { text: string; detail?: string }>> = {
  answered: { text: 'Support replied', detail: 'View in Help.' },
  mailed: { text: 'Support replied', detail: 'Check your email.' },
  acted: { text: 'We took action on your report', detail: 'Thanks for letting us know.' },
  nothing: {
    text: 'We reviewed your report',
    detail: 'It doesn’t break our rules. Thanks for letting us know.',
  },
  again: { text: 'We’re reviewing your report again', detail: 'It was closed too early.' },
  upheld: { text: 'Your appeal was reviewed', detail: 'The decision stands. Check your email for details.' },
  overturned: { text: 'Your appeal was accepted', detail: 'The decision was reversed.' },
};

const policyNote = z.object({ policy: z.string(), version: z.string(), title: z.string(), changes: z.string() });

/** `note` contains the legal text, its version and the changes. */
export function policyWords(note: string): Words & { href: string } {
  const { policy, version, title, changes } = z.parse(policyNote, JSON.parse(note));
  return { text: `Updated: ${title}`, detail: changes, href: policyPath(policy, version) };
}
