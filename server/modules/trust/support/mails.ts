import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import { CASE_PATHS, caseStatusPath } from '@stagedoor/contract/trust/case-addresses.ts';
import type { Mail } from '../../../platform/mail.ts';
import type { CaseRow } from '../moderation/index.ts';

/** The mail contains no text of the writer, because the address may belong to someone else. */
export function createComplaintMail(
  { reference, from_email, due_at }: Pick<CaseRow, 'reference' | 'from_email' | 'due_at'>,
  publicUrl: string,
): Mail {
  return {
    to: from_email,
    subject: `Your complaint ${reference}`,
    text: `Hello,

We’ve received your complaint. Reference: ${reference}. We’ll reply by ${formatLongDay(due_at.toISOString())}.

Check the status here with your reference and email:
${publicUrl}${caseStatusPath(CASE_PATHS.complaints, reference)}
`,
  };
}
