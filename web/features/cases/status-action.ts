import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { answerComplaint, complaintStatus } from '@stagedoor/contract/cases.ts';
import type { ActionFunctionArgs } from 'react-router';
import { type Refused, sendForm } from '../../kernel/form-action.ts';

export type Status = ResponseOf<typeof complaintStatus>;

export type StatusAnswer = {
  status?: Status;
  unknown?: Refused;
  /** The reply was refused. */
  unsaid?: Refused;
  /** The reply that was sent. */
  said?: string;
  email?: string;
};

/** Handles a posted form that contains a case number. Returns undefined for other forms. */
export async function answerStatus(
  args: Pick<ActionFunctionArgs, 'context'>,
  values: Readonly<Record<string, string>>,
): Promise<StatusAnswer | undefined> {
  const { reference, email = '', message } = values;
  if (reference === undefined) return undefined;
  if (message !== undefined) {
    const sent = await sendForm(args, answerComplaint, { body: { reference, email, message } }, values);
    if (sent.ok) return { status: sent.body, said: sent.body.message, email };
    const again = await sendForm(args, complaintStatus, { body: { reference, email } }, values);
    return again.ok ? { status: again.body, unsaid: sent.refused, email } : { unknown: sent.refused };
  }
  const found = await sendForm(args, complaintStatus, { body: { reference, email } }, values);
  return found.ok ? { status: found.body, email } : { unknown: found.refused };
}
