/** Asks for consent to new legal texts after a login (row B9). Without any, it redirects immediately. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { agreeToPolicies, openAgreements, POLICY_KEYS } from '@stagedoor/contract/policies.ts';
import { agreePath, policyPath } from '@stagedoor/contract/public-addresses.ts';
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
import { AccountFrame, loadFrame } from '../features/account/account-frame.tsx';
import { oneOf } from '../kernel/address.ts';
import { ApiError } from '../kernel/api-error.ts';
import { formValues, sendForm } from '../kernel/form-action.ts';
import { pageMeta } from '../kernel/meta.ts';
import { api } from '../kernel/mutation.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, loginAddress, onServer, type PageLoad } from '../kernel/page-data.ts';
import { openDocument } from '../kernel/page-exit.ts';
import { apiQuery, useApi } from '../kernel/query.ts';
import { homeOf, ownDestination } from '../kernel/session.ts';
import { Button } from '../ui/button.tsx';
import { Refusal } from '../ui/refusal.tsx';

const load: PageLoad<{ next: string }> = async ({ client, url, viewer }) => {
  const who = await viewer();
  if (!who) throw redirect(loginAddress(url));
  const next = ownDestination(url.searchParams.get('next'), url.origin)?.path ?? homeOf(who.type);
  const { data } = await client.ensureQueryData(apiQuery(openAgreements, {}));
  if (data.length === 0) throw redirect(next);
  await loadFrame(client);
  return { next };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

function agreedIn(values: Readonly<Record<string, string>>) {
  return Object.entries(values).flatMap(([name, value]) => {
    const key = oneOf(POLICY_KEYS, name);
    const [version = '', reading = ''] = value.split(' ');
    return key ? [{ key, version, reading }] : [];
  });
}

export async function action(args: ActionFunctionArgs) {
  const values = await formValues(args.request);
  const result = await sendForm(args, agreeToPolicies, { body: { agreed: agreedIn(values) } }, values);
  // The loader of this page redirects further.
  return result.ok
    ? redirect(agreePath(values.next ?? PATHS.home), { status: 303 })
    : { message: result.refused.message };
}

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => [
  ...pageMeta(args, { title: 'We’ve updated our terms' }),
  { name: 'robots', content: 'noindex' },
];

export default function Agree() {
  const { next } = useLoaderData<typeof loader>();
  const { data } = useApi(openAgreements, {});
  const answer = useActionData<typeof action>();
  const [state, setState] = useState<{ isBusy: boolean; message?: string }>({ isBusy: false });
  const message = state.message ?? answer?.message;
  const send = async () => {
    setState({ isBusy: true });
    try {
      const agreed = data.map(({ key, version, reading }) => ({ key, version, reading }));
      await api(agreeToPolicies, { body: { agreed } }, { showErrorMessage: false });
      openDocument(next);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ isBusy: false, message: error.message });
    }
  };
  return (
    <AccountFrame
      title="We’ve updated our terms"
      lead="Please review the changes. You need to agree to continue."
      other={{ href: PATHS.home, label: 'Not now' }}
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
          {data.map(({ key, title, version, reading, changes }) => (
            <li key={key} className="grid gap-2 py-4">
              <input type="hidden" name={key} value={`${version} ${reading}`} />
              <a
                className="link flex min-h-11 items-center justify-self-start font-semibold"
                href={policyPath(key)}
                target="_blank"
                rel="noreferrer"
              >
                {title}
              </a>
              {changes.map((line) => (
                <span key={line.version} className="text-muted">
                  {line.version}: {line.changes}
                </span>
              ))}
            </li>
          ))}
        </ul>
        <input type="hidden" name="next" value={next} />
        {message !== undefined && <Refusal message={message} />}
        <Button type="submit" variant="primary" size="lg" wide busy={state.isBusy} busyText="Saving…">
          I agree
        </Button>
      </form>
    </AccountFrame>
  );
}
