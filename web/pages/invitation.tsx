/** The referral link `/r/:id`. Its code is stored in a cookie that the sign-up form reads (row A10). */

import { affiliateCode, getReferralInvitation } from '@stagedoor/contract/finance/affiliates.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { validate } from '@stagedoor/contract/shared/validation.ts';
import { data, type HeadersArgs, type LoaderFunctionArgs, type MetaArgs, redirect, useLoaderData } from 'react-router';
import { AccountFrame, loadAccountFrame } from '../modules/identity/accounts/account-frame.tsx';
import { ApiError } from '../platform/api-error.ts';
import { formatCookie } from '../platform/cookies.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiQuery } from '../platform/query.ts';
import { requestContextKey } from '../platform/request-context.ts';
import { REFERRAL_CODE_COOKIE, REFERRAL_CODE_SECONDS } from '../platform/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { formatNodes } from '../ui/format-nodes.ts';
import * as texts from './texts.ts';

type Invitation = { name: string; avatarUrl: string | null };

const STORABLE_CODE = /^[A-Za-z0-9_-]{1,40}$/;

const load: PageLoad<Invitation | null> = async ({ client, params, viewer }) => {
  const code = validate(affiliateCode, params.id);
  if (!code.success || (await viewer())) return null;
  try {
    const invitation = await client.ensureQueryData(apiQuery(getReferralInvitation, { params: { code: code.data } }));
    await loadAccountFrame(client);
    return { name: invitation.name, avatarUrl: invitation.avatarUrl };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
};

export async function loader(args: LoaderFunctionArgs) {
  const invitation = await loadOnServer(args, load);
  const code = args.params.id ?? '';
  const isSecure = args.context.get(requestContextKey).origin.startsWith('https:');
  const headers = new Headers();
  if (STORABLE_CODE.test(code))
    headers.set('set-cookie', formatCookie(REFERRAL_CODE_COOKIE, code, REFERRAL_CODE_SECONDS, isSecure));
  if (!invitation) throw redirect(PATHS.signup, { headers });
  return data(invitation, { headers });
}
export const headers = ({ loaderHeaders }: HeadersArgs) => loaderHeaders;

export const handle: PageHandle = { shell: 'none', hydrate: false };
export const meta = (args: MetaArgs<typeof loader>) => [
  ...createPageMeta(args, { title: texts.youreInvited }),
  { name: 'robots', content: 'noindex' },
];

export default function InvitationPage() {
  const { name, avatarUrl } = useLoaderData<typeof loader>();
  return (
    <AccountFrame
      title={formatNodes(texts.namedInvitation, { name: <bdi className="wrap-anywhere">{name}</bdi> })}
      lead={texts.invitationIntro}
      headerLink={{ href: PATHS.login, label: texts.logIn }}
      opens={
        <>
          <Avatar size="l" name={name} src={avatarUrl} />
          <p className="self-center text-small text-muted">{texts.invitationTerms}</p>
        </>
      }
    >
      <div className="grid gap-3">
        <Button variant="primary" size="lg" wide href={PATHS.signupAsFan}>
          {texts.signUpAsAFan}
        </Button>
        <Button size="lg" wide href={PATHS.signupAsCreator}>
          {texts.signUpAsACreator}
        </Button>
        <Button variant="quiet" wide href={PATHS.home}>
          {texts.browseFirst}
        </Button>
      </div>
    </AccountFrame>
  );
}
