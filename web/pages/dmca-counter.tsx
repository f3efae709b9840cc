/**
 * The counter-notice form for blocked accounts, opened from the removal email. Other users answer in their help center.
 */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatLongDay } from '@stagedoor/contract/shared/restrictions.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { CASE_PATHS, counterNoticePath } from '@stagedoor/contract/trust/case-addresses.ts';
import { getCounterNoticeLink, submitCounterNoticeByLink } from '@stagedoor/contract/trust/copyright.ts';
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
import { CounterFields, toCounterNoticeBody } from '../modules/trust/copyright/counter-fields.tsx';
import { ApiError } from '../platform/api-error.ts';
import { type FormRefusal, readFormValues, sendForm } from '../platform/form-action.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiQuery } from '../platform/query.ts';
import { DefinitionList } from '../ui/definition-list.tsx';
import { formatNodes } from '../ui/format-nodes.ts';
import { Banner } from '../ui/states.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = {
  ...{ hydrate: false, submitsOnce: true, width: 'column' },
  ...{ query: ['token'], freeText: ['token'] },
};
export const meta = (args: MetaArgs) => [
  ...createPageMeta(args, { title: 'Counter-notice' }),
  { name: 'referrer', content: 'strict-origin' },
];

type Link = ResponseOf<typeof getCounterNoticeLink>;
const isMissingLink = (error: unknown) =>
  error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION');

const load: PageLoad<Link | null> = async ({ client, url }) => {
  const token = url.searchParams.get('token') ?? '';
  if (token === '') return null;
  const link = await client.fetchQuery(apiQuery(getCounterNoticeLink, { query: { token } })).catch((error: unknown) => {
    if (isMissingLink(error)) return null;
    throw error;
  });
  if (link?.isBlocked === false) throw redirect(`${CASE_PATHS.creatorHelpdesk}#decisions`);
  return link;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

type ActionResult = { received?: ResponseOf<typeof submitCounterNoticeByLink>; refused?: FormRefusal };

export async function action(args: ActionFunctionArgs): Promise<ActionResult> {
  const values = await readFormValues(args.request);
  const body = { ...toCounterNoticeBody(values), token: values.token ?? '' };
  const sent = await sendForm(
    args,
    submitCounterNoticeByLink,
    { body },
    { isMistake: '', isConsenting: '', ...values },
  );
  return sent.ok ? { received: sent.body } : { refused: sent.refusal };
}

function Received({
  received: { reference, restoreFrom, restoreBy },
}: {
  received: NonNullable<ActionResult['received']>;
}) {
  return (
    <section aria-labelledby="received">
      <h2 id="received" className="display d3" tabIndex={-1}>
        {texts.counterNoticeSent}
      </h2>
      <p className="pt-3 pb-4">
        {formatText(texts.contentRestoreDates, {
          restoreFrom: formatLongDay(restoreFrom),
          restoreBy: formatLongDay(restoreBy),
        })}
      </p>
      <DefinitionList strong items={[{ name: 'Reference', value: <span className="num">{reference}</span> }]} />
    </section>
  );
}

export default function CounterNotice() {
  const link = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const actionData = useActionData<typeof action>();
  const isSending = useNavigation().state === 'submitting';
  const token = search.get('token') ?? '';
  return (
    <div className="pb-16">
      <h1 className="display d2 mt-8 pb-6">{texts.counterNotice}</h1>
      {actionData?.received ? (
        <Received received={actionData.received} />
      ) : link === null ? (
        <Banner kind="error">{texts.linkIncompleteOpenAgainError}</Banner>
      ) : (
        <Form
          method="post"
          action={counterNoticePath(token)}
          className="form"
          noValidate
          aria-label={texts.counterNotice}
        >
          <p className="wrap-anywhere">
            {formatNodes(texts.claimantClaimsContent, {
              claimant: <bdi className="font-semibold">{link.claimant}</bdi>,
              url: <bdi>{link.url}</bdi>,
            })}
          </p>
          <input type="hidden" name="token" value={token} />
          <CounterFields
            claimant={link.claimant}
            values={actionData?.refused?.values ?? {}}
            fields={actionData?.refused?.fields ?? {}}
            message={actionData?.refused?.message}
            busy={isSending}
          />
        </Form>
      )}
    </div>
  );
}
