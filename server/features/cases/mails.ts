/** What people are mailed about cases: that a complaint came, what was answered, what was decided about them. */

import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import type { Mail } from '../../kernel/mail.ts';
import type { CaseRow } from './store.ts';

type From = Pick<CaseRow, 'reference' | 'from_name' | 'from_email'>;
const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`);

/** Without a word of whoever wrote: the address may be somebody else's. */
export function complaintMail(
  { reference, from_email, due_at }: Pick<CaseRow, 'reference' | 'from_email' | 'due_at'>,
  publicUrl: string,
): Mail {
  return {
    to: from_email,
    subject: `Your complaint ${reference}`,
    text: `${hello('')}

We have your complaint. Its number is ${reference}; we answer by ${dayWords(due_at.toISOString())}.

How it stands, by this number and your address:
${publicUrl}${CASE_PATHS.complaints}#status
`,
  };
}

export function answeredMail(row: From & Pick<CaseRow, 'kind'>, publicUrl: string, text: string): Mail {
  const more =
    row.kind === 'complaint'
      ? `${publicUrl}${CASE_PATHS.complaints}#status`
      : row.kind === 'copyright'
        ? `${publicUrl}${CASE_PATHS.copyrightNotice}#status`
        : `${publicUrl}${CASE_PATHS.contactUs}`;
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

/** To whose file is byte for byte one that was removed from somebody else, of whom it says nothing. */
export function copyMail(
  to: { username: string; email: string },
  { ground, isBack }: { ground: string; isBack: boolean },
  url: string,
): Mail {
  const told = isBack
    ? 'A file of yours that we had taken away, as it is identical to one that we removed, is there again.'
    : 'A file of yours is identical to one that we removed. Nobody can load it any more, wherever it hangs.';
  return {
    to: to.email,
    subject: 'About a file of yours',
    text: `${hello(to.username)}

${told}

${ground}

If you think that this is wrong, write to us:
${url}
`,
  };
}
