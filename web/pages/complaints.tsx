import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { submitComplaint } from '@stagedoor/contract/trust/support.ts';
import type { ActionFunctionArgs, MetaArgs } from 'react-router';
import { ComplaintFields } from '../modules/trust/support/complaint-forms.tsx';
import {
  handlePublicMessage,
  PUBLIC_MESSAGE_HANDLE,
  PublicMessagePage,
  ReferenceNumbers,
} from '../modules/trust/support/public-message.tsx';
import { sendForm } from '../platform/form-action.ts';
import { createPageMeta } from '../platform/meta.ts';

export const handle = PUBLIC_MESSAGE_HANDLE;
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: 'Complaints',
    description: 'Report illegal or harmful content. We reply within 7 business days.',
  });

export const action = (args: ActionFunctionArgs) =>
  handlePublicMessage(args, CASE_PATHS.complaints, async (values) => {
    const { name = '', email = '', where = '', details = '' } = values;
    const request = { body: { name, email, where, details, isGoodFaith: values.isGoodFaith === 'true' } };
    // An unticked checkbox is missing from the form data, so an empty value is added for validation.
    const sent = await sendForm(args, submitComplaint, request, { isGoodFaith: '', ...values });
    return sent.ok ? { ok: true, references: [sent.body.reference], answerBy: sent.body.answerBy } : sent;
  });

export default function Complaints() {
  return (
    <PublicMessagePage
      title="Complaints"
      lead="Report content that’s illegal, stolen or shows you without your consent. No account needed. We reply within 7 business days and remove illegal content right away."
      page={CASE_PATHS.complaints}
      name="Complaint"
      renderFields={(part) => <ComplaintFields {...part} />}
      renderReceived={(received) => (
        <ReferenceNumbers
          title="Complaint received"
          lead="Save this reference number. We’ve also emailed it to you."
          received={received}
        />
      )}
      status={{ title: 'Check complaint status', emailLabel: 'Email you used' }}
    />
  );
}
