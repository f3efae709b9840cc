/** What people are mailed about cases: that a complaint came, what was answered, what was decided about them. */

import { PATHS } from '@stagedoor/contract/addresses.ts';
import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import type { Mail } from '../../kernel/mail.ts';
import type { CaseRow } from './store.ts';

type From = Pick<CaseRow, 'reference' | 'from_name' | 'from_email'>;
const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`);

export function complaintMail(
  { reference, from_name, from_email, due_at }: From & Pick<CaseRow, 'due_at'>,
  publicUrl: string,
): Mail {
  return {
    to: from_email,
    subject: `Your complaint ${reference}`,
    text: `${hello(from_name)}

We have your complaint. Its number is ${reference}; we answer by ${dayWords(due_at.toISOString())}.

How it stands, by this number and your address:
${publicUrl}${PATHS.complaints}#status
`,
  };
}

export function answeredMail(row: From & Pick<CaseRow, 'kind'>, publicUrl: string, text: string): Mail {
  const more = row.kind === 'complaint' ? `${publicUrl}${PATHS.complaints}#status` : `${publicUrl}${PATHS.contactUs}`;
  return {
    to: row.from_email,
    subject: `About ${row.reference}`,
    text: `${hello(row.from_name)}

${text}

${row.reference}
${more}
`,
  };
}

export function decidedMail(
  to: { username: string; email: string },
  reference: string,
  words: string,
  url: string,
): Mail {
  return {
    to: to.email,
    subject: 'About your Stagedoor account',
    text: `${hello(to.username)}

${words}

${reference}
${url}
`,
  };
}
