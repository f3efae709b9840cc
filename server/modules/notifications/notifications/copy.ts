import { policyPath } from '@stagedoor/contract/shared/public-addresses.ts';
import * as z from 'zod/mini';
import type { EventPayload } from '../../../platform/events/event-types.ts';

type NotificationText = { text: string; detail?: string };

type DebtChange = EventPayload<'debt.changed'>['change'];
const DEBT_TEXTS: Readonly<Record<DebtChange, (sum: string) => NotificationText>> = {
  owed: (sum) => ({
    text: `You owe ${sum}`,
    detail: 'A payment was reversed. Funds you add will pay this off first.',
  }),
  repaid: (sum) => ({ text: `${sum} used to pay your outstanding balance` }),
  writtenOff: (sum) => ({ text: `You no longer owe ${sum}` }),
  won: (sum) => ({ text: `Chargeback of ${sum} reversed` }),
  notWon: (sum) => ({ text: `Chargeback of ${sum} reinstated` }),
  blocked: () => ({ text: 'Spending is paused on your account', detail: 'Contact support.' }),
  unblocked: () => ({ text: 'You can spend again' }),
};
const isDebtChange = (note: string): note is DebtChange => note in DEBT_TEXTS;

export const formatDebtChange = (note: string, sum: string): NotificationText =>
  isDebtChange(note) ? DEBT_TEXTS[note](sum) : { text: 'Outstanding balance update' };

export const PAYOUT_MESSAGES: Readonly<Record<string, string>> = {
  requested: 'You requested a payout',
  approved: 'Your payout was approved',
  rejected: 'Your payout was declined',
  sent: 'Your payout is on its way',
  broadcast: 'Your payout is on its way',
  paid: 'Your payout arrived',
  failed: 'Your payout failed. The money is available again',
  returned: 'Your payout was returned. The money is available again',
};

const METHOD_MESSAGES: Readonly<Record<EventPayload<'payout.methodChanged'>['change'], string>> = {
  added: 'A payout method was added',
  replaced: 'A payout method was replaced',
  removed: 'A payout method was removed',
};
const isMethodChange = (text: string): text is keyof typeof METHOD_MESSAGES => text in METHOD_MESSAGES;

/** `note` contains the change and a label of the method without its number. */
export function formatMethodChange(note: string): NotificationText {
  const [change = '', ...labelParts] = note.split(' ');
  return {
    text: isMethodChange(change) ? METHOD_MESSAGES[change] : 'Payout methods update',
    detail: `${labelParts.join(' ')}. Wasn’t you? Change your password now.`,
  };
}

export const VERIFICATION_NOTIFICATIONS: Readonly<Record<string, string>> = {
  verified: 'You’re verified',
  failed: 'We couldn’t read your documents',
  declined: 'Your verification was declined',
};

const SECURITY_MESSAGES: Readonly<Record<EventPayload<'account.secured'>['change'], string>> = {
  newDevice: 'New login',
  passwordChanged: 'Your password was changed',
  twoFactorOn: 'Two-factor authentication is on',
  twoFactorOff: 'Two-factor authentication is off',
};
const isSecurityChange = (text: string): text is keyof typeof SECURITY_MESSAGES => text in SECURITY_MESSAGES;

/** `note` contains the change and, for a login, the device. */
export function formatSecurityChange(note: string): NotificationText {
  const [change = '', ...device] = note.split(' ');
  const from = device.length > 0 ? ` from ${device.join(' ')}` : '';
  return {
    text: `${isSecurityChange(change) ? SECURITY_MESSAGES[change] : 'Account update'}${from}`,
    detail: 'Wasn’t you? Change your password now.',
  };
}

export const CASE_NOTIFICATIONS: Readonly<Record<string, { text: string; detail?: string }>> = {
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
export function formatPolicyChange(note: string): NotificationText & { href: string } {
  const { policy, version, title, changes } = z.parse(policyNote, JSON.parse(note));
  return { text: `Updated: ${title}`, detail: changes, href: policyPath(policy, version) };
}
