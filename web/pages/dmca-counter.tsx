/**
 * The counter-notice form for blocked accounts, opened from the removal email. Other users answer in their help center.
 */

import { dayWords } from '@stagedoor/contract/atoms/activities.ts';
import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { CASE_PATHS, counterLink } from '@stagedoor/contract/case-addresses.ts';
import { giveCounterByLink, readCounterLink } from '@stagedoor/contract/copyright.ts';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  useSearchParams,
} from 'react-router';
import { CounterFields, counterOf } from '../features/cases/counter-fields.tsx';
import { ApiError } from '../kernel/api-error.ts';
import { formValues, type Refused, sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { apiQuery } from '../kernel/query.ts';
import { FactList } from '../ui/facts.tsx';
import { Banner } from '../ui/states.tsx';

export const handle: PageHandle = {
  ...{ hydrate: false, sendsOnce: true, width: 'column' },
  ...{ query: ['of'], freeText: ['of'] },
};
export const meta = (args: MetaArgs) => [
  ...pageMeta(args, { title: 'Counter-notice' }),
  { name: 'referrer', content: 'strict-origin' },
];

type Link = ResponseOf<typeof readCounterLink>;
const isNone = (error: unknown) =>
  error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION');

const load: PageLoad<Link | null> = async ({ client, url }) => {
  const of = url.searchParams.get('of') ?? '';
  if (of === '') return null;
  const link = await client.fetchQuery(apiQuery(readCounterLink, { query: { of } })).catch((error: unknown) => {
    if (isNone(error)) return null;
    throw error;
  });
  if (link?.isBlocked === false) throw redirect(`${CASE_PATHS.creatorHelpdesk}#decisions`);
  return link;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

type Answer = { received?: ResponseOf<typeof giveCounterByLink>; refused?: Refused };

export async function action(args: ActionFunctionArgs): Promise<Answer> {
  const values = await formValues(args.request);
  const body = { ...counterOf(values), of: values.of ?? '' };
  const sent = await sendForm(args, giveCounterByLink, { body }, { isMistake: '', isConsenting: '', ...values });
  return sent.ok ? { received: sent.body } : { refused: sent.refused };
}

function Received({ received: { reference, restoreFrom, restoreBy } }: { received: NonNullable<Answer['received']> }) {
  return (
    <section aria-labelledby="received">
      <h2 id="received" className="display d3" tabIndex={-1}>
        Counter-notice sent
      </h2>
      <p className="pt-3 pb-4">
        Unless they file a court action, your content will be restored between {dayWords(restoreFrom)} and{' '}
        {dayWords(restoreBy)}. We’ve also emailed you this.
      </p>
      <FactList strong facts={[{ name: 'Reference', value: <span className="num">{reference}</span> }]} />
    </section>
  );
}

export default function CounterNotice() {
  const link = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const answer = useActionData<typeof action>();
  const isSending = useNavigation().state === 'submitting';
  const of = search.get('of') ?? '';
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8 pb-6">Counter-notice</h1>
      {answer?.received ? (
        <Received received={answer.received} />
      ) : link === null ? (
        <Banner kind="error">This link is incomplete. Open it from the email again.</Banner>
      ) : (
        <Form method="post" action={counterLink(of)} className="form" noValidate aria-label="Counter-notice">
          <p className="wrap-anywhere">
            <bdi className="font-semibold">{link.claimant}</bdi> claims the removed content: <bdi>{link.place}</bdi>
          </p>
          <input type="hidden" name="of" value={of} />
          <CounterFields
            claimant={link.claimant}
            values={answer?.refused?.values ?? {}}
            fields={answer?.refused?.fields ?? {}}
            message={answer?.refused?.message}
            busy={isSending}
          />
        </Form>
      )}
    </div>
  );
}
