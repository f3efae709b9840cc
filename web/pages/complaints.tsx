/** Complaints by anybody, without an account: the form, the number that it gives, and how one stands. */
import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { complain } from '@stagedoor/contract/cases.ts';
import {
  type ActionFunctionArgs,
  Form,
  type MetaArgs,
  useActionData,
  useNavigation,
  useSearchParams,
} from 'react-router';
import { ComplaintFields } from '../features/cases/complaint-forms.tsx';
import { StatusPart } from '../features/cases/status.tsx';
import { answerStatus, type StatusAnswer } from '../features/cases/status-action.ts';
import { formValues, type Refused, sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { FactList } from '../ui/facts.tsx';

export const handle: PageHandle = {
  hydrate: false,
  sendsOnce: true,
  query: ['where', 'number'],
  freeText: ['where', 'number'],
  width: 'column',
};
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Complaints',
    description: 'Tell us what is wrong here. Anybody can, and everybody is answered within seven business days.',
  });

type Answer = StatusAnswer & { received?: ResponseOf<typeof complain>; refused?: Refused };

export async function action(args: ActionFunctionArgs): Promise<Answer> {
  const values = await formValues(args.request);
  const { name = '', email = '', where = '', details = '' } = values;
  const asked = await answerStatus(args, values);
  if (asked) return asked;
  const request = { body: { name, email, where, details, isGoodFaith: values.isGoodFaith === 'true' } };
  // A box that is not ticked is no field of the form, and is complained of all the same.
  const sent = await sendForm(args, complain, request, { isGoodFaith: '', ...values });
  return sent.ok ? { received: sent.body } : { refused: sent.refused };
}

function Received({ received: { reference, answerBy } }: { received: NonNullable<Answer['received']> }) {
  return (
    <section className="pb-6" aria-labelledby="received">
      <h2 id="received" className="display d3" tabIndex={-1}>
        We have your complaint.
      </h2>
      <p className="pt-3 pb-4">Keep this number. It is also in the mail that we have just sent you.</p>
      <FactList
        strong
        facts={[
          { name: 'Number', value: <span className="num">{reference}</span> },
          { name: 'Answered by', value: dayWords(answerBy) },
        ]}
      />
    </section>
  );
}

export default function Complaints() {
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  const isSending = useNavigation().state === 'submitting';
  const { received, refused } = answer ?? {};
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8">Complaints</h1>
      <p className="pt-3 pb-6 text-muted">
        Something here is illegal, is not theirs, or shows you without your consent? Tell us. You need no account, and a
        person answers within seven business days. What is illegal is taken down at once.
      </p>
      {received ? (
        <Received received={received} />
      ) : (
        <Form method="post" action="/complaints" className="form" noValidate aria-label="Complaint">
          <ComplaintFields where={search.get('where') ?? undefined} refused={refused} isSending={isSending} />
        </Form>
      )}
      <StatusPart
        title="How a complaint stands"
        emailLabel="Email of the complaint"
        action="/complaints"
        number={search.get('number')}
        answer={answer}
        isSending={isSending}
      />
    </div>
  );
}
