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
import * as texts from './texts.ts';

export const handle = PUBLIC_MESSAGE_HANDLE;
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.complaints,
    description: texts.complaintsLead,
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
      title={texts.complaints}
      lead={texts.complaintsIntro}
      page={CASE_PATHS.complaints}
      name="Complaint"
      renderFields={(part) => <ComplaintFields {...part} />}
      renderReceived={(received) => (
        <ReferenceNumbers title={texts.complaintReceived} lead={texts.saveReferenceHint} received={received} />
      )}
      status={{ title: texts.checkComplaintStatus, emailLabel: texts.emailYouUsed }}
    />
  );
}
