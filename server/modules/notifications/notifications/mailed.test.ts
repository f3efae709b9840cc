import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { NOTIFICATION_KINDS } from './kinds.ts';

/** The files that send mail, each with the kinds that notify of the same in the app, or the reason for none. */
const MAILS: Readonly<Record<string, readonly string[] | string>> = {
  'commerce/debts/mails.ts': ['debt'],
  'commerce/deposits/mails.ts': ['depositArrived', 'depositFailed'],
  'commerce/deposits/webhooks/uncredited-sales.ts': ['paymentReturned'],
  'compliance/verification/admin.ts': ['verification'],
  'content/subscriptions/mails.ts': [
    'renewalFailed',
    'renewalReminder',
    'newPrice',
    'tierDeleted',
    'periodWaived',
    'subscriptionEnded',
    'giftReceived',
  ],
  'finance/affiliates/claims.ts': ['commissionMoved'],
  'finance/payouts/mails.ts': ['payout'],
  'finance/payouts/methods.ts': ['payoutMethod'],
  'identity/account-deletion/service.ts': 'A user who deletes their account is logged out, and logging in cancels it.',
  'identity/accounts/account-break.ts': 'A user who takes a break is logged out until it ends.',
  'identity/accounts/login.ts': ['security'],
  'identity/accounts/mail-tokens.ts': 'The link proves that the user can read mail to the address.',
  'identity/accounts/password-change.ts': ['security'],
  'identity/accounts/two-factor.ts': ['security'],
  'identity/data-export/service.ts': ['dataExport'],
  'identity/staff/mails.ts': 'Operators see the same in the admin console.',
  'identity/staff/staff.ts': 'The code proves that the invited person can read mail to the address.',
  'identity/teams/membership.ts': ['teamJoined'],
  'identity/teams/service.ts':
    'The invited address may have no account. A user who has one finds the invitation on the teams page.',
  'notifications/notifications/digest.ts': 'The digest consists of notifications.',
  'trust/copyright/counter-notice.ts': 'Repeats to the sender of a counter-notice what the page showed.',
  'trust/copyright/notice.ts': 'Repeats to the sender of a notice what the page showed.',
  'trust/copyright/notify.ts': ['answered'],
  'trust/legal/notify.ts': ['policy'],
  'trust/moderation/admin/decide.ts': ['decision'],
  'trust/moderation/admin/duplicates.ts': ['duplicateTakedown'],
  'trust/moderation/admin/notify.ts': ['answered'],
  'trust/moderation/admin/refunds.ts': ['refund', 'saleRefunded'],
  'trust/support/contact.ts': 'Repeats to the sender of a complaint what the page showed.',
};

/** The expressions that a subject may contain: case numbers, titles of legal texts, and names in mails to operators. */
const ALLOWED_EXPRESSIONS = [
  "cases[0]?.reference ?? ''",
  'to.reference',
  'reference',
  'row.reference',
  'policy.title',
  'changedUsername',
];

const modulesUrl = new URL('../../', import.meta.url);
async function readSources(): Promise<{ path: string; text: string }[]> {
  const sources: { path: string; text: string }[] = [];
  for await (const path of glob('**/*.ts', { cwd: modulesUrl }))
    if (!/\.test(ing)?\.ts$/.test(path)) sources.push({ path, text: readFileSync(new URL(path, modulesUrl), 'utf8') });
  return sources;
}

test('every file that sends mail has a notification kind or a stated reason for none', async () => {
  const senders = (await readSources()).filter(({ text }) => text.includes('mailer.send('));
  expect(
    senders.map(({ path }) => path).toSorted(),
    `add each file that sends mail to MAILS in server/modules/notifications/notifications/mailed.test.ts: 'domain/module/file.ts': ['kind'] or the reason for none,`,
  ).toEqual(Object.keys(MAILS).toSorted());
  for (const [path, kinds] of Object.entries(MAILS))
    for (const kind of typeof kinds === 'string' ? [] : kinds)
      expect(Object.keys(NOTIFICATION_KINDS), path).toContain(kind);
});

test('no mail subject contains a name or an amount', async () => {
  const mailing = (await readSources()).filter(({ text }) => /mailer\.send\(|platform\/mail\.ts'/.test(text));
  const subjects = mailing.flatMap(({ text }) => [...text.matchAll(/\bsubject: (?:`([^`]*)`|'([^']*)')/g)]);
  expect(subjects.length).toBeGreaterThan(40);
  for (const [, made = '', plain = ''] of subjects) {
    for (const [, expression] of made.matchAll(/\$\{([^}]+)\}/g)) expect(ALLOWED_EXPRESSIONS).toContain(expression);
    expect(made + plain).not.toMatch(/\$\d/);
  }
});
