import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { policyPath } from '@stagedoor/contract/shared/public-addresses.ts';
import * as z from 'zod/mini';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import * as texts from './texts.ts';

type NotificationText = { text: string; detail?: string };

type DebtChange = EventPayload<'debt.changed'>['change'];
const DEBT_TEXTS: Readonly<Record<DebtChange, (sum: string) => NotificationText>> = {
  owed: (sum) => ({
    text: formatText(texts.youOwe, { sum }),
    detail: texts.paymentReversedHint,
  }),
  repaid: (sum) => ({ text: formatText(texts.usedToPayDebt, { sum }) }),
  writtenOff: (sum) => ({ text: formatText(texts.youNoLongerOwe, { sum }) }),
  won: (sum) => ({ text: formatText(texts.chargebackReversed, { sum }) }),
  notWon: (sum) => ({ text: formatText(texts.chargebackReinstated, { sum }) }),
  blocked: () => ({ text: texts.spendingPaused, detail: texts.contactSupport }),
  unblocked: () => ({ text: texts.youCanSpendAgain }),
};
const isDebtChange = (note: string): note is DebtChange => note in DEBT_TEXTS;

export const formatDebtChange = (note: string, sum: string): NotificationText =>
  isDebtChange(note) ? DEBT_TEXTS[note](sum) : { text: texts.outstandingBalanceUpdate };

export const PAYOUT_MESSAGES: Readonly<Record<string, string>> = {
  requested: texts.youRequestedAPayout,
  approved: texts.yourPayoutWasApproved,
  rejected: texts.yourPayoutWasDeclined,
  sent: texts.payoutOnItsWay,
  broadcast: texts.payoutOnItsWay,
  paid: texts.yourPayoutArrived,
  failed: texts.payoutFailed,
  returned: texts.payoutReturned,
};

const METHOD_MESSAGES: Readonly<Record<EventPayload<'payout.methodChanged'>['change'], string>> = {
  added: texts.aPayoutMethodWasAdded,
  replaced: texts.aPayoutMethodWasReplaced,
  removed: texts.aPayoutMethodWasRemoved,
};
const isMethodChange = (text: string): text is keyof typeof METHOD_MESSAGES => text in METHOD_MESSAGES;

/** `note` contains the change and a label of the method without its number. */
export function formatMethodChange(note: string): NotificationText {
  const [change = '', ...labelParts] = note.split(' ');
  return {
    text: isMethodChange(change) ? METHOD_MESSAGES[change] : texts.payoutMethodsUpdate,
    detail: formatText(texts.methodChangeWarning, { methodLabel: labelParts.join(' ') }),
  };
}

export const VERIFICATION_NOTIFICATIONS: Readonly<Record<string, string>> = {
  verified: texts.youreVerified,
  failed: texts.documentsUnreadable,
  declined: texts.yourVerificationWasDeclined,
};

const SECURITY_MESSAGES: Readonly<Record<EventPayload<'account.secured'>['change'], string>> = {
  newDevice: texts.newLogin,
  passwordChanged: texts.yourPasswordWasChanged,
  twoFactorOn: texts.twoFactorAuthenticationIsOn,
  twoFactorOff: texts.twoFactorAuthenticationIsOff,
};
const isSecurityChange = (text: string): text is keyof typeof SECURITY_MESSAGES => text in SECURITY_MESSAGES;

/** `note` contains the change and, for a login, the device. */
export function formatSecurityChange(note: string): NotificationText {
  const [change = '', ...device] = note.split(' ');
  const from = device.length > 0 ? formatText(texts.fromDevice, { device: device.join(' ') }) : '';
  return {
    text: `${isSecurityChange(change) ? SECURITY_MESSAGES[change] : texts.accountUpdate}${from}`,
    detail: texts.securityChangeWarning,
  };
}

export const CASE_NOTIFICATIONS: Readonly<Record<string, { text: string; detail?: string }>> = {
  answered: { text: texts.supportReplied, detail: texts.viewInHelp },
  mailed: { text: texts.supportReplied, detail: texts.checkYourEmail },
  acted: { text: texts.reportLedToAction, detail: texts.thanksForReport },
  nothing: {
    text: texts.reportReviewed,
    detail: texts.reportNoViolation,
  },
  again: { text: texts.reportReopened, detail: texts.reportReopenedReason },
  upheld: { text: texts.appealReviewed, detail: texts.appealRejectedHint },
  overturned: { text: texts.appealAccepted, detail: texts.appealReversedDecision },
};

const policyNote = z.object({ policy: z.string(), version: z.string(), title: z.string(), changes: z.string() });

/** `note` contains the legal text, its version and the changes. */
export function formatPolicyChange(note: string): NotificationText & { href: string } {
  const { policy, version, title, changes } = z.parse(policyNote, JSON.parse(note));
  return { text: formatText(texts.policyUpdated, { title }), detail: changes, href: policyPath(policy, version) };
}
