import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { CASE_PATHS, statusPath } from '@stagedoor/contract/case-addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import type { Mail } from '../../../kernel/mail.ts';
import type { CounterRow } from './store.ts';

type Numbered = { reference: string; place: string };

/** The mail contains no text of the writer, because the address may be another person's. */
export function noticeMail(to: string, cases: readonly Numbered[], dueAt: Date, publicUrl: string): Mail {
  const numbers = cases.map(({ reference }) => reference).join('\n');
  return {
    to,
    subject: `Your notice of copyright ${cases[0]?.reference ?? ''}`,
    text: `Hello,

We have your notice of copyright. ${cases.length === 1 ? 'Its number is' : 'Its numbers, one for each address, are'}
${numbers}

We answer by ${dayWords(dueAt.toISOString())}. How it stands, by the number and your address:
${publicUrl}${statusPath(CASE_PATHS.copyrightNotice, cases[0]?.reference ?? '')}
`,
  };
}

/** The mail contains the complete counter-notice, as 17 U.S.C. 512(g)(2)(B) requires. */
export function counterMail(
  to: { name: string; email: string; reference: string },
  counter: Pick<CounterRow, 'name' | 'address' | 'telephone' | 'signature' | 'restore_from'> & {
    reference: string;
    place: string;
    statement: string;
    due_at: Date;
  },
  publicUrl: string,
): Mail {
  const [from, by] = [counter.restore_from, counter.due_at].map((at) => dayWords(at.toISOString()));
  return {
    to: to.email,
    subject: `A counter-notice to ${to.reference}`,
    text: `Hello ${to.name},

Whoever posted what we removed after your notice ${to.reference} answered with a counter-notice, ${counter.reference}:

What was removed: ${counter.place}
${counter.statement}

They say under penalty of perjury that they believe in good faith that it was removed by mistake. They agree to the jurisdiction of the federal court where they live, or where we are if they live outside of the United States, and take papers from you.

${counter.name}
${counter.address}
${counter.telephone}
Signed: ${counter.signature}

What was removed is put back between ${from} and ${by}, unless you show our agent by then that you went to court to keep it down. Please name ${counter.reference}. The agent stands at
${publicUrl}${PUBLIC_PATHS.dmca}
`,
  };
}

export function sideMail(to: { name: string; email: string }, reference: string, text: string, url: string): Mail {
  return {
    to: to.email,
    subject: `About ${reference}`,
    text: `Hello ${to.name},

${text}

${reference}
${url}
`,
  };
}
