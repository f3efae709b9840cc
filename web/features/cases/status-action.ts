/** What the forms about how something stands ask for, on every page that has them: a look by number and address, and what is said then. */
import { answerComplaint, complaintStatus } from '@stagedoor/contract/cases.ts';
import type { ActionFunctionArgs } from 'react-router';
import { type Refused, sendForm } from '../../kernel/form-action.ts';
import type { Status } from './status.tsx';

export type StatusAnswer = {
  status?: Status;
  /** The pair fits nothing. */
  unknown?: Refused;
  /** What was to be said was not taken. */
  unsaid?: Refused;
  /** It was. */
  said?: string;
  /** The address that was given. */
  email?: string;
};

/** Answers a posted form that names a number; nothing for every other. */
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
