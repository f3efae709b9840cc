/** The contact page (row J1), with or without an account and without script. */
import { CASE_PATHS } from '@stagedoor/contract/trust/case-addresses.ts';
import { formatContactReceipt } from '@stagedoor/contract/trust/case-kinds.ts';
import { contactAdmin } from '@stagedoor/contract/trust/support.ts';
import type { ActionFunctionArgs, MetaArgs } from 'react-router';
import { CONTACT_LEAD, CONTACT_TITLE, ContactFields } from '../modules/trust/support/contact-form.tsx';
import {
  handlePublicMessage,
  PUBLIC_MESSAGE_HANDLE,
  PublicMessagePage,
} from '../modules/trust/support/public-message.tsx';
import { sendForm } from '../platform/form-action.ts';
import { createPageMeta } from '../platform/meta.ts';
import { useViewer } from '../platform/session.ts';
import { Button } from '../ui/button.tsx';
import { InlineError } from '../ui/inline-error.tsx';
import { Banner } from '../ui/states.tsx';
import * as texts from './texts.ts';

export const handle = PUBLIC_MESSAGE_HANDLE;
export const meta = (args: MetaArgs) => createPageMeta(args, { title: CONTACT_TITLE, description: CONTACT_LEAD });

export const action = (args: ActionFunctionArgs) =>
  handlePublicMessage(args, CASE_PATHS.contactUs, async (values) => {
    const { name = '', email = '', details = '' } = values;
    const sent = await sendForm(args, contactAdmin, { body: { name, email, details } }, values);
    return sent.ok ? { ok: true, references: [sent.body.reference] } : sent;
  });

export default function ContactUs() {
  const viewer = useViewer();
  const own = { name: viewer?.name, email: viewer?.email };
  return (
    <PublicMessagePage
      title={CONTACT_TITLE}
      lead={CONTACT_LEAD}
      page={CASE_PATHS.contactUs}
      name="Message"
      renderFields={({ refusal, isSending }) => (
        <>
          <ContactFields values={refusal?.values ?? own} fields={refusal?.fields ?? {}} />
          {refusal?.message !== undefined && <InlineError message={refusal.message} />}
          <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
            {texts.submit}
          </Button>
        </>
      )}
      renderReceived={({ references: [reference = ''] }) => (
        <div className="pb-6" role="status">
          <Banner kind="success" inline>
            {formatContactReceipt(reference)}
          </Banner>
        </div>
      )}
      status={{ title: texts.checkRequestStatus, emailLabel: texts.emailYouUsed }}
    />
  );
}
