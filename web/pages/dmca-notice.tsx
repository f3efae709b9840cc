/** A notice of copyright by anybody, without an account: the form, the numbers that it gives, and how one stands. */
import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { CASE_PATHS } from '@stagedoor/contract/case-addresses.ts';
import { giveNotice } from '@stagedoor/contract/copyright.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/public-addresses.ts';
import {
  type ActionFunctionArgs,
  Form,
  type MetaArgs,
  useActionData,
  useNavigation,
  useSearchParams,
} from 'react-router';
import { NoticeFields } from '../features/cases/notice-forms.tsx';
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
    title: 'Notice of copyright',
    description: 'Something of yours is here and should not be. Send a notice: no account is needed.',
  });

type Answer = StatusAnswer & { received?: ResponseOf<typeof giveNotice>; refused?: Refused };

export async function action(args: ActionFunctionArgs): Promise<Answer> {
  const values = await formValues(args.request);
  const asked = await answerStatus(args, values);
  if (asked) return asked;
  const { email = '', name = '', address = '', telephone = '', signature = '', work = '', places = '' } = values;
  const body = {
    ...{ name, email, address, telephone, signature, work, places },
    isGoodFaith: values.isGoodFaith === 'true',
    isAccurate: values.isAccurate === 'true',
  };
  // A box that is not ticked is no field of the form, and is complained of all the same.
  const sent = await sendForm(args, giveNotice, { body }, { isGoodFaith: '', isAccurate: '', ...values });
  return sent.ok ? { received: sent.body } : { refused: sent.refused };
}

function Received({ received: { cases, answerBy } }: { received: NonNullable<Answer['received']> }) {
  return (
    <section className="pb-6" aria-labelledby="received">
      <h2 id="received" className="display d3" tabIndex={-1}>
        We have your notice.
      </h2>
      <p className="pt-3 pb-4">
        Keep {cases.length === 1 ? 'this number' : 'these numbers: each address is looked at for itself'}. It is also in
        the mail that we have just sent you.
      </p>
      <FactList
        strong
        facts={[
          ...cases.map(({ reference, place }) => ({
            name: place,
            value: <span className="num">{reference}</span>,
          })),
          { name: 'Answered by', value: dayWords(answerBy) },
        ]}
      />
    </section>
  );
}

export default function CopyrightNotice() {
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  const isSending = useNavigation().state === 'submitting';
  const { received, refused } = answer ?? {};
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8">Notice of copyright</h1>
      <p className="pt-3 pb-6 text-muted">
        Something of yours is here and should not be. A person looks at your notice within two business days. What comes
        of it, and how whoever posted it can answer, stands in{' '}
        <a className="underline underline-offset-4" href={PUBLIC_PATHS.dmca}>
          how this goes
        </a>
        . Whoever says something untrue in it knowingly pays for what it costs (17 U.S.C. 512(f)).
      </p>
      {received ? (
        <Received received={received} />
      ) : (
        <Form
          method="post"
          action={CASE_PATHS.copyrightNotice}
          className="form"
          noValidate
          aria-label="Notice of copyright"
        >
          <NoticeFields places={search.get('where') ?? undefined} refused={refused} isSending={isSending} />
        </Form>
      )}
      <StatusPart
        title="How a notice stands"
        emailLabel="Email of the notice"
        action={CASE_PATHS.copyrightNotice}
        number={search.get('number')}
        answer={answer}
        isSending={isSending}
      />
    </div>
  );
}
