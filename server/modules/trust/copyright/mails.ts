import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import { CASE_PATHS, caseStatusPath } from '@stagedoor/contract/trust/case-addresses.ts';
import type { Mail } from '../../../platform/mail.ts';
import type { CounterNoticeRow } from './store.ts';

type NumberedCase = { reference: string; url: string };

/** The mail contains no text of the writer, because the address may belong to someone else. */
export function createNoticeMail(to: string, cases: readonly NumberedCase[], dueAt: Date, publicUrl: string): Mail {
  const numbers = cases.map(({ reference }) => reference).join('\n');
  return {
    to,
    subject: `Your copyright notice ${cases[0]?.reference ?? ''}`,
    text: `Hello,

We’ve received your copyright notice. ${cases.length === 1 ? 'Reference:' : 'References, one for each link:'}
${numbers}

We’ll reply by ${formatLongDay(dueAt.toISOString())}. Check the status here with your reference and email:
${publicUrl}${caseStatusPath(CASE_PATHS.copyrightNotice, cases[0]?.reference ?? '')}
`,
  };
}

/** The mail contains the complete counter-notice, as 17 U.S.C. 512(g)(2)(B) requires. */
export function createCounterNoticeMail(
  to: { name: string; email: string; reference: string },
  counter: Pick<CounterNoticeRow, 'name' | 'address' | 'telephone' | 'signature' | 'restore_from'> & {
    reference: string;
    contentAddress: string;
    statement: string;
    due_at: Date;
  },
  publicUrl: string,
): Mail {
  const [earliest, latest] = [counter.restore_from, counter.due_at].map((at) => formatLongDay(at.toISOString()));
  return {
    to: to.email,
    subject: `Counter-notice to ${to.reference}`,
    text: `Hello ${to.name},

The person who posted the content removed after your notice ${to.reference} sent a counter-notice, ${counter.reference}:

Removed content: ${counter.contentAddress}
${counter.statement}

They state under penalty of perjury that they have a good faith belief it was removed by mistake or misidentification. They consent to the jurisdiction of the federal court for their district (or, outside the US, where Stagedoor is located) and will accept service of process from you.

${counter.name}
${counter.address}
${counter.telephone}
Signed: ${counter.signature}

The content will be restored between ${earliest} and ${latest} unless you notify our agent by then that you filed a court action to keep it down. Please include ${counter.reference}. You can find our agent here:
${publicUrl}${PUBLIC_PATHS.dmca}
`,
  };
}

export function createPartyMail(
  to: { name: string; email: string },
  reference: string,
  text: string,
  url: string,
): Mail {
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
