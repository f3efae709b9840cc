import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { complain } from '@stagedoor/contract/cases.ts';
import type { ActionFunctionArgs, MetaArgs } from 'react-router';
import { ComplaintFields } from '../features/cases/complaint-forms.tsx';
import { answerLetter, LETTER_HANDLE, Letter, Numbers } from '../features/cases/letter.tsx';
import { sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';

export const handle = LETTER_HANDLE;
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Complaints',
    description: 'Tell us what is wrong here. Anybody can, and everybody is answered within seven business days.',
  });

export const action = (args: ActionFunctionArgs) =>
  answerLetter(args, CASE_PATHS.complaints, async (values) => {
    const { name = '', email = '', where = '', details = '' } = values;
    const request = { body: { name, email, where, details, isGoodFaith: values.isGoodFaith === 'true' } };
    // An unticked checkbox is missing from the form data, so an empty value is added for validation.
    const sent = await sendForm(args, complain, request, { isGoodFaith: '', ...values });
    return sent.ok ? { ok: true, references: [sent.body.reference], answerBy: sent.body.answerBy } : sent;
  });

export default function Complaints() {
  return (
    <Letter
      title="Complaints"
      lead="Something here is illegal, is not theirs, or shows you without your consent? Tell us. You need no account, and a person answers within seven business days. What is illegal is taken down at once."
      page={CASE_PATHS.complaints}
      name="Complaint"
      fields={(part) => <ComplaintFields {...part} />}
      received={(received) => (
        <Numbers
          title="We have your complaint."
          lead="Keep this number. It is also in the mail that we have just sent you."
          received={received}
        />
      )}
      status={{ title: 'How a complaint stands', emailLabel: 'Email of the complaint' }}
    />
  );
}
