import type { UserType } from '@stagedoor/contract/accounts.ts';
import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import { CASE_PATHS, statusPath } from '@stagedoor/contract/case-addresses.ts';
import type { Mail } from '../../kernel/mail.ts';
import type { CaseRow } from './store.ts';

type From = Pick<CaseRow, 'reference' | 'from_name' | 'from_email'>;
const hello = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`);

/** The mail contains no text of the writer, because the address may be another person's. */
export function complaintMail(
  { reference, from_email, due_at }: Pick<CaseRow, 'reference' | 'from_email' | 'due_at'>,
  publicUrl: string,
): Mail {
  return {
    to: from_email,
    subject: `Your complaint ${reference}`,
    text: `${hello('')}

We’ve received your complaint. Reference: ${reference}. We’ll reply by ${dayWords(due_at.toISOString())}.

Check the status here with your reference and email:
${publicUrl}${statusPath(CASE_PATHS.complaints, reference)}
`,
  };
}

export function followPath(
  { id, kind, reference }: Pick<CaseRow, 'id' | 'kind' | 'reference'>,
  writer: UserType | undefined,
): string {
  if (kind === 'ticket')
    return `${writer === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk}?ticket=${id}`;
  if (kind === 'complaint') return statusPath(CASE_PATHS.complaints, reference);
  return statusPath(kind === 'copyright' ? CASE_PATHS.copyrightNotice : CASE_PATHS.contactUs, reference);
}

export function answeredMail(row: From, url: string, text: string): Mail {
  return {
    to: row.from_email,
    subject: `About ${row.reference}`,
    text: `${hello(row.from_name)}

${text}

${row.reference}
${url}
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

/** The mail does not name the other user. */
export function copyMail(
  to: { username: string; email: string },
  { ground, isBack }: { ground: string; isBack: boolean },
  url: string,
): Mail {
  const told = isBack
    ? 'We restored a file we had removed by mistake.'
    : 'We removed a file of yours because it’s identical to content we removed before.';
  return {
    to: to.email,
    subject: 'About one of your files',
    text: `${hello(to.username)}

${told}

${ground}

If you think this is a mistake, contact us:
${url}
`,
  };
}
