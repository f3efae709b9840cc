/** Every mail has its line in the app, or a reason why it has none; and what is undone of somebody's money is mailed. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { KINDS } from './kinds.ts';

/** By the files that send them: the kinds that tell the same in the app, or why nothing does. */
const MAILS: Readonly<Record<string, readonly string[] | string>> = {
  'accounts/away.ts': 'Whoever takes a break is logged out until it ends.',
  'accounts/login.ts': ['security'],
  'accounts/mail-tokens.ts': 'Its link is for whoever reads the mail: it proves the address.',
  'accounts/password-change.ts': ['security'],
  'accounts/two-factor.ts': ['security'],
  'affiliates/claims.ts': ['commissionMoved'],
  'archive/service.ts': ['archive'],
  'cases/contact.ts': ['answered'],
  'cases/copyright/counter.ts': 'It repeats to whoever sent a counter-notice what the page just said.',
  'cases/copyright/notice.ts': 'It repeats to whoever sent a notice what the page just said.',
  'cases/copyright/telling.ts': ['answered'],
  'cases/desk/copies.ts': ['copies'],
  'cases/desk/decide.ts': ['decision'],
  'cases/desk/refunds.ts': ['refund', 'givenBack'],
  'closing/service.ts': 'Whoever closes their account is logged out, and logging in ends the closing.',
  'notifications/digest.ts': 'It is made of what the app tells.',
  'operators/mails.ts': 'Operators work at a desk, which tells them.',
  'payments/debts.ts': ['debt'],
  'payments/receipt.ts': ['depositArrived', 'depositFailed'],
  'payments/uncredited.ts': ['paymentReturned'],
  'payouts/mails.ts': ['payout'],
  'payouts/methods.ts': ['payoutMethod'],
  'policies/tell.ts': ['policy'],
  'team/membership.ts': ['teamJoined'],
  'team/service.ts': 'Whom it asks may have no account; who has one finds the question among their teams.',
  'verification/desk.ts': ['verification'],
};

/** What a subject may say that differs from mail to mail: numbers of cases, texts of ours, and at the desk who works there. */
const SAID = ["cases[0]?.reference ?? ''", 'to.reference', 'reference', 'row.reference', 'policy.title', 'who'];

const rooms = new URL('..', import.meta.url);
/** The files of all rooms, with their text. */
async function sources(): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for await (const path of glob('**/*.ts', { cwd: rooms }))
    if (!/\.test(ing)?\.ts$/.test(path)) found.push({ path, text: readFileSync(new URL(path, rooms), 'utf8') });
  return found;
}

test('every mail that is sent has a kind of alert beside it, or a reason why not', async () => {
  const senders = (await sources()).filter(({ text }) => text.includes('mailer.send('));
  expect(
    senders.map(({ path }) => path).toSorted(),
    `add each file that sends mail to MAILS in server/features/notifications/mailed.test.ts: 'module/file.ts': ['kind'] or the reason for none,`,
  ).toEqual(Object.keys(MAILS).toSorted());
  for (const [path, kinds] of Object.entries(MAILS))
    for (const kind of typeof kinds === 'string' ? [] : kinds) expect(Object.keys(KINDS), path).toContain(kind);
});

test('no subject of a mail names a person or a sum: others may see it', async () => {
  // What else has subjects is sealed or counted by them.
  const mailing = (await sources()).filter(({ text }) => /mailer\.send\(|kernel\/mail\.ts'/.test(text));
  const subjects = mailing.flatMap(({ text }) => [...text.matchAll(/\bsubject: (?:`([^`]*)`|'([^']*)')/g)]);
  expect(subjects.length).toBeGreaterThan(40);
  for (const [, made = '', plain = ''] of subjects) {
    for (const [, expression] of made.matchAll(/\$\{([^}]+)\}/g)) expect(SAID).toContain(expression);
    expect(made + plain).not.toMatch(/\$\d/);
  }
});
