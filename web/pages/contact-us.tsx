/** Writing to us (row J1), with or without an account: a form that needs no script. */
import { contactAdmin } from '@stagedoor/contract/cases.ts';
import { type ActionFunctionArgs, Form, type MetaArgs, useActionData, useNavigation } from 'react-router';
import { CONTACT_LEAD, CONTACT_TITLE, ContactFields } from '../features/cases/contact-form.tsx';
import { formValues, sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { Banner } from '../ui/states.tsx';

export const handle: PageHandle = { hydrate: false, sendsOnce: true, width: 'column' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: CONTACT_TITLE, description: CONTACT_LEAD });

export async function action(args: ActionFunctionArgs) {
  const values = await formValues(args.request);
  const { name = '', email = '', details = '' } = values;
  const result = await sendForm(args, contactAdmin, { body: { name, email, details } }, values);
  return result.ok ? { sent: result.body.message, refused: undefined } : { sent: undefined, refused: result.refused };
}

export default function ContactUs() {
  const viewer = useViewer();
  const answer = useActionData<typeof action>();
  const isSending = useNavigation().state === 'submitting';
  const { refused, sent } = answer ?? {};
  const own = { name: viewer?.name, email: viewer?.email };
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8">{CONTACT_TITLE}</h1>
      <p className="pt-3 pb-6 text-muted">{CONTACT_LEAD}</p>
      {sent !== undefined && (
        <div className="pb-6" role="status">
          <Banner kind="success" inline>
            {sent}
          </Banner>
        </div>
      )}
      {/* Empty again once it was sent. */}
      <Form key={sent ?? ''} method="post" className="form" noValidate>
        <ContactFields values={refused?.values ?? own} fields={refused?.fields ?? {}} />
        {refused?.message !== undefined && <Refusal message={refused.message} />}
        <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
          Submit
        </Button>
      </Form>
    </div>
  );
}
