import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { NOTIFICATION_KINDS } from './kinds.ts';

/** The files that send mail, each with the kinds that notify of the same in the app, or the reason for none. */
const MAILS: Readonly<Record<string, readonly string[] | string>> = {
  'accounts/account-break.ts': 'Whoever takes a break is logged out until it ends.',
  'accounts/login.ts': ['security'],
  'accounts/mail-tokens.ts': 'Its link is for whoever reads the mail: it proves the address.',
  'accounts/password-change.ts': ['security'],
  'accounts/two-factor.ts': ['security'],
  'affiliates/claims.ts': ['commissionMoved'],
  'archive/service.ts': ['dataExport'],
  'cases/admin/decide.ts': ['decision'],
  'cases/admin/duplicates.ts': ['duplicateTakedown'],
  'cases/admin/refunds.ts': ['refund', 'saleRefunded'],
  'cases/contact.ts': ['answered'],
  'cases/copyright/counter-notice.ts': 'It repeats to whoever sent a counter-notice what the page just said.',
  'cases/copyright/notice.ts': 'It repeats to whoever sent a notice what the page just said.',
  'cases/copyright/notify.ts': ['answered'],
  'closing/service.ts': 'Whoever closes their account is logged out, and logging in ends the closing.',
  'notifications/digest.ts': 'It is made of what the app tells.',
  'operators/mails.ts': 'Operators work at a desk, which tells them.',
  'payments/debts.ts': ['debt'],
  'payments/deposit-mails.ts': ['depositArrived', 'depositFailed'],
  'payments/uncredited-sales.ts': ['paymentReturned'],
  'payouts/mails.ts': ['payout'],
  'payouts/methods.ts': ['payoutMethod'],
  'policies/notify.ts': ['policy'],
  'team/membership.ts': ['teamJoined'],
  'team/service.ts': 'Whom it asks may have no account; who has one finds the question among their teams.',
  'verification/admin.ts': ['verification'],
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

const featuresUrl = new URL('..', import.meta.url);
async function readSources(): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for await (const path of glob('**/*.ts', { cwd: featuresUrl }))
    if (!/\.test(ing)?\.ts$/.test(path)) found.push({ path, text: readFileSync(new URL(path, featuresUrl), 'utf8') });
  return found;
}

test('every file that sends mail has a notification kind or a stated reason for none', async () => {
  const senders = (await readSources()).filter(({ text }) => text.includes('mailer.send('));
  expect(
    senders.map(({ path }) => path).toSorted(),
    `add each file that sends mail to MAILS in server/features/notifications/mailed.test.ts: 'module/file.ts': ['kind'] or the reason for none,`,
  ).toEqual(Object.keys(MAILS).toSorted());
  for (const [path, kinds] of Object.entries(MAILS))
    for (const kind of typeof kinds === 'string' ? [] : kinds)
      expect(Object.keys(NOTIFICATION_KINDS), path).toContain(kind);
});

test('no mail subject contains a name or an amount', async () => {
  const mailing = (await readSources()).filter(({ text }) => /mailer\.send\(|kernel\/mail\.ts'/.test(text));
  const subjects = mailing.flatMap(({ text }) => [...text.matchAll(/\bsubject: (?:`([^`]*)`|'([^']*)')/g)]);
  expect(subjects.length).toBeGreaterThan(40);
  for (const [, made = '', plain = ''] of subjects) {
    for (const [, expression] of made.matchAll(/\$\{([^}]+)\}/g)) expect(ALLOWED_EXPRESSIONS).toContain(expression);
    expect(made + plain).not.toMatch(/\$\d/);
  }
});
