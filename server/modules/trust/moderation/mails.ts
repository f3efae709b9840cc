import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { CASE_PATHS, caseStatusPath } from '@stagedoor/contract/trust/case-addresses.ts';
import type { Mail } from '../../../platform/mail.ts';
import type { CaseRow } from './store.ts';

type ReplyRecipient = Pick<CaseRow, 'reference' | 'from_name' | 'from_email'>;
const formatGreeting = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`);

export function getFollowPath(
  { id, kind, reference }: Pick<CaseRow, 'id' | 'kind' | 'reference'>,
  writer: UserType | undefined,
): string {
  if (kind === 'ticket')
    return `${writer === 'creator' ? CASE_PATHS.creatorHelpdesk : CASE_PATHS.fanHelpdesk}?ticket=${id}`;
  if (kind === 'complaint') return caseStatusPath(CASE_PATHS.complaints, reference);
  return caseStatusPath(kind === 'copyright' ? CASE_PATHS.copyrightNotice : CASE_PATHS.contactUs, reference);
}

export function createReplyMail(row: ReplyRecipient, url: string, text: string): Mail {
  return {
    to: row.from_email,
    subject: `About ${row.reference}`,
    text: `${formatGreeting(row.from_name)}

${text}

${row.reference}
${url}
`,
  };
}

export function createCaseMail(
  to: { username: string; email: string },
  reference: string,
  message: string,
  url: string,
): Mail {
  return {
    to: to.email,
    subject: 'About your Stagedoor account',
    text: `${formatGreeting(to.username)}

${message}

${reference}
${url}
`,
  };
}

/** The mail does not name the other user. */
export function createCopyMail(
  to: { username: string; email: string },
  { reason, isRestored }: { reason: string; isRestored: boolean },
  url: string,
): Mail {
  const statement = isRestored
    ? 'We restored a file we had removed by mistake.'
    : 'We removed a file of yours because it’s identical to content we removed before.';
  return {
    to: to.email,
    subject: 'About one of your files',
    text: `${formatGreeting(to.username)}

${statement}

${reason}

If you think this is a mistake, contact us:
${url}
`,
  };
}
