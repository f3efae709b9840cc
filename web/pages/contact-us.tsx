/** The contact page (row J1), with or without an account and without script. */
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { contactWords } from '@stagedoor/contract/case-kinds.ts';
import { contactAdmin } from '@stagedoor/contract/cases.ts';
import type { ActionFunctionArgs, MetaArgs } from 'react-router';
import { CONTACT_LEAD, CONTACT_TITLE, ContactFields } from '../features/cases/contact-form.tsx';
import { answerLetter, LETTER_HANDLE, Letter } from '../features/cases/letter.tsx';
import { sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { Banner } from '../ui/states.tsx';

export const handle = LETTER_HANDLE;
export const meta = (args: MetaArgs) => pageMeta(args, { title: CONTACT_TITLE, description: CONTACT_LEAD });

export const action = (args: ActionFunctionArgs) =>
  answerLetter(args, CASE_PATHS.contactUs, async (values) => {
    const { name = '', email = '', details = '' } = values;
    const sent = await sendForm(args, contactAdmin, { body: { name, email, details } }, values);
    return sent.ok ? { ok: true, references: [sent.body.reference] } : sent;
  });

export default function ContactUs() {
  const viewer = useViewer();
  const own = { name: viewer?.name, email: viewer?.email };
  return (
    <Letter
      title={CONTACT_TITLE}
      lead={CONTACT_LEAD}
      page={CASE_PATHS.contactUs}
      name="Message"
      fields={({ refused, isSending }) => (
        <>
          <ContactFields values={refused?.values ?? own} fields={refused?.fields ?? {}} />
          {refused?.message !== undefined && <Refusal message={refused.message} />}
          <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
            Submit
          </Button>
        </>
      )}
      received={({ references: [reference = ''] }) => (
        <div className="pb-6" role="status">
          <Banner kind="success" inline>
            {contactWords(reference)}
          </Banner>
        </div>
      )}
      status={{ title: 'Check request status', emailLabel: 'Email you used' }}
    />
  );
}
