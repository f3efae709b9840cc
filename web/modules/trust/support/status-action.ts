import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { getComplaintStatus, replyToComplaint } from '@stagedoor/contract/trust/support.ts';
import type { ActionFunctionArgs } from 'react-router';
import { type FormRefusal, sendForm } from '../../../platform/form-action.ts';

export type ComplaintStatus = ResponseOf<typeof getComplaintStatus>;

export type ComplaintStatusResult = {
  status?: ComplaintStatus;
  notFound?: FormRefusal;
  /** The reply was refused. */
  replyRefused?: FormRefusal;
  /** The reply that was sent. */
  sentReply?: string;
  email?: string;
};

/** Handles a posted form that contains a case number. Returns undefined for other forms. */
export async function handleStatusForm(
  args: Pick<ActionFunctionArgs, 'context'>,
  values: Readonly<Record<string, string>>,
): Promise<ComplaintStatusResult | undefined> {
  const { reference, email = '', message } = values;
  if (reference === undefined) return undefined;
  if (message !== undefined) {
    const sent = await sendForm(args, replyToComplaint, { body: { reference, email, message } }, values);
    if (sent.ok) return { status: sent.body, sentReply: sent.body.message, email };
    const current = await sendForm(args, getComplaintStatus, { body: { reference, email } }, values);
    return current.ok ? { status: current.body, replyRefused: sent.refusal, email } : { notFound: sent.refusal };
  }
  const result = await sendForm(args, getComplaintStatus, { body: { reference, email } }, values);
  return result.ok ? { status: result.body, email } : { notFound: result.refusal };
}
