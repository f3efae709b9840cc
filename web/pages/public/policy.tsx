/** One legal text (row B9), in force or in the requested version. */
import { POLICY_KEYS, readPolicy } from '@stagedoor/contract/policies.ts';
import { policyPath } from '@stagedoor/contract/public-addresses.ts';
import {
  type ClientLoaderFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
} from 'react-router';
import { Leaf } from '../../features/house/parts.tsx';
import { dayWords, type Policy, sectionsOf } from '../../features/house/policy-text.tsx';
import { dayIn, oneOf } from '../../kernel/address.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Banner } from '../../ui/states.tsx';

export const handle: PageHandle = { hydrate: false, query: ['version'] };

type Shown = { request: { params: { key: Policy['key'] }; query: { version?: string } }; title: string; lead: string };

const load: PageLoad<Shown> = async ({ client, url }) => {
  const key = oneOf(POLICY_KEYS, url.pathname.slice(1).replace(/\/$/, ''));
  if (!key) throw data(null, { status: 404 });
  const version = dayIn(url.searchParams, 'version');
  const request = { params: { key }, query: version === undefined ? {} : { version } };
  const { title, lead } = await client.ensureQueryData(apiQuery(readPolicy, request));
  return { request, title, lead };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);
export const meta = ({ loaderData, ...args }: MetaArgs<typeof loader>) =>
  pageMeta(args, loaderData ? { title: loaderData.title, description: loaderData.lead } : { title: 'Not found' });

export default function PolicyPage() {
  const { request } = useLoaderData<typeof loader>();
  const policy = useApi(readPolicy, request);
  return (
    <>
      {!policy.isInForce && (
        <Banner>
          This is the version of {dayWords(policy.version)}, which is no longer in effect.{' '}
          <a className="link" href={policyPath(policy.key)}>
            Current version
          </a>
        </Banner>
      )}
      <Leaf
        title={policy.title}
        lead={policy.lead}
        sections={sectionsOf(policy)}
        side={<p className="pt-6 text-small text-muted">Effective {dayWords(policy.version)}.</p>}
      />
    </>
  );
}
