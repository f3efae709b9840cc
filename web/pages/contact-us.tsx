/** Writing to us (row J1), with or without an account: a form that needs no script. */
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { contactAdmin } from '@stagedoor/contract/cases.ts';
import {
  type ActionFunctionArgs,
  Form,
  type MetaArgs,
  useActionData,
  useNavigation,
  useSearchParams,
} from 'react-router';
import { CONTACT_LEAD, CONTACT_TITLE, ContactFields } from '../features/cases/contact-form.tsx';
import { StatusPart } from '../features/cases/status.tsx';
import { answerStatus, type StatusAnswer } from '../features/cases/status-action.ts';
import { formValues, type Refused, sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { useViewer } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { Refusal } from '../ui/refusal.tsx';
import { Banner } from '../ui/states.tsx';

export const handle: PageHandle = {
  hydrate: false,
  sendsOnce: true,
  query: ['number'],
  freeText: ['number'],
  width: 'column',
};
export const meta = (args: MetaArgs) => pageMeta(args, { title: CONTACT_TITLE, description: CONTACT_LEAD });

type Answer = StatusAnswer & { sent?: string; refused?: Refused };

export async function action(args: ActionFunctionArgs): Promise<Answer> {
  const values = await formValues(args.request);
  const asked = await answerStatus(args, values);
  if (asked) return asked;
  const { name = '', email = '', details = '' } = values;
  const result = await sendForm(args, contactAdmin, { body: { name, email, details } }, values);
  return result.ok ? { sent: result.body.message } : { refused: result.refused };
}

export default function ContactUs() {
  const viewer = useViewer();
  const [search] = useSearchParams();
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
      <Form
        key={sent ?? ''}
        method="post"
        action={CASE_PATHS.contactUs}
        className="form"
        noValidate
        aria-label="Message"
      >
        <ContactFields values={refused?.values ?? own} fields={refused?.fields ?? {}} />
        {refused?.message !== undefined && <Refusal message={refused.message} />}
        <Button type="submit" variant="primary" size="lg" wide busy={isSending} busyText="Submitting...">
          Submit
        </Button>
      </Form>
      <StatusPart
        title="How your message stands"
        emailLabel="Email of the message"
        action={CASE_PATHS.contactUs}
        number={search.get('number')}
        answer={answer}
        isSending={isSending}
      />
    </div>
  );
}
