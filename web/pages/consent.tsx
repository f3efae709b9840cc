/** Requests consent to new legal texts after a login (row B9). Without any, it redirects immediately. */

import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { parseDestination } from '@stagedoor/contract/shared/destinations.ts';
import { consentPath, policyPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { agreeToPolicies, listPendingConsents, POLICY_KEYS } from '@stagedoor/contract/trust/legal.ts';
import { useState } from 'react';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { parseOption } from '../platform/address.ts';
import { ApiError } from '../platform/api-error.ts';
import { readFormValues, sendForm } from '../platform/form-action.ts';
import { createPageMeta } from '../platform/meta.ts';
import { api } from '../platform/mutation.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, loginAddress, type PageLoad } from '../platform/page-data.ts';
import { openDocument } from '../platform/page-exit.ts';
import { apiQuery, useApi } from '../platform/query.ts';
import { getHomePath } from '../platform/session.ts';
import { Button } from '../ui/button.tsx';
import { InlineError } from '../ui/inline-error.tsx';
import * as texts from './texts.ts';

const load: PageLoad<{ next: string }> = async ({ client, url, viewer }) => {
  const user = await viewer();
  if (!user) throw redirect(loginAddress(url));
  const next = parseDestination(url.searchParams.get('next'), url.origin)?.path ?? getHomePath(user.type);
  const { data } = await client.ensureQueryData(apiQuery(listPendingConsents, {}));
  if (data.length === 0) throw redirect(next);
  await loadAccountFrame(client);
  return { next };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

function parseAgreed(values: Readonly<Record<string, string>>) {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = parseOption(POLICY_KEYS, name);
    const [version = '', textHash = ''] = value.split(' ');
    return key ? [{ key, version, textHash }] : [];
  });
}

export async function action(args: ActionFunctionArgs) {
  const values = await readFormValues(args.request);
  const result = await sendForm(args, agreeToPolicies, { body: { agreed: parseAgreed(values) } }, values);
  // The loader of this page redirects further.
  return result.ok
    ? redirect(consentPath(values.next ?? PATHS.home), { status: 303 })
    : { message: result.refusal.message };
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => [
  ...createPageMeta(args, { title: texts.weveUpdatedOurTerms }),
  { name: 'robots', content: 'noindex' },
];

export default function ConsentPage() {
  const { next } = useLoaderData<typeof loader>();
  const { data } = useApi(listPendingConsents, {});
  const actionData = useActionData<typeof action>();
  const [state, setState] = useState<{ isBusy: boolean; message?: string }>({ isBusy: false });
  const message = state.message ?? actionData?.message;
  const send = async () => {
    setState({ isBusy: true });
    try {
      const agreed = data.map(({ key, version, textHash }) => ({ key, version, textHash }));
      await api(agreeToPolicies, { body: { agreed } }, { showErrorMessage: false });
      openDocument(next);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ isBusy: false, message: error.message });
    }
  };
  return (
    <AccountFrame
      title={texts.weveUpdatedOurTerms}
      lead={texts.termsChangesHint}
      headerLink={{ href: PATHS.home, label: texts.notNow }}
    >
      <form
        className="form"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <ul className="lines">
          {data.map(({ key, title, version, textHash, changes }) => (
            <li key={key} className="grid gap-2 py-4">
              <input type="hidden" name={key} value={`${version} ${textHash}`} />
              <a
                className="link flex min-h-11 items-center justify-self-start font-semibold"
                href={policyPath(key)}
                target="_blank"
                rel="noreferrer"
              >
                {title}
              </a>
              {changes.map((change) => (
                <span key={change.version} className="text-muted">
                  {change.version}: {change.changes}
                </span>
              ))}
            </li>
          ))}
        </ul>
        <input type="hidden" name="next" value={next} />
        {message !== undefined && <InlineError message={message} />}
        <Button type="submit" variant="primary" size="lg" wide busy={state.isBusy} busyText={texts.saving}>
          {texts.iAgree}
        </Button>
      </form>
    </AccountFrame>
  );
}
