/** One legal text (row B9), in force or in the requested version. */

import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { policyPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { getPolicy, POLICY_KEYS } from '@stagedoor/contract/trust/legal.ts';
import {
  type ClientLoaderFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
} from 'react-router';
import { parseDayParam, parseOption } from '../../platform/address.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { formatNodes } from '../../ui/format-nodes.ts';
import { Banner } from '../../ui/states.tsx';
import { ArticlePage } from './marketing-parts.tsx';
import { formatPolicyDay, type PolicyView, toPolicySections } from './policy-text.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { hydrate: false, query: ['version'] };

type PolicyPageData = {
  request: { params: { key: PolicyView['key'] }; query: { version?: string } };
  title: string;
  lead: string;
};

const load: PageLoad<PolicyPageData> = async ({ client, url }) => {
  const key = parseOption(POLICY_KEYS, url.pathname.slice(1).replace(/\/$/, ''));
  if (!key) throw data(null, { status: 404 });
  const version = parseDayParam(url.searchParams, 'version');
  const request = { params: { key }, query: version === undefined ? {} : { version } };
  const { title, lead } = await client.ensureQueryData(apiQuery(getPolicy, request));
  return { request, title, lead };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);
export const meta = ({ loaderData, ...args }: MetaArgs<typeof loader>) =>
  createPageMeta(
    args,
    loaderData ? { title: loaderData.title, description: loaderData.lead } : { title: texts.missingPage },
  );

export default function PolicyPage() {
  const { request } = useLoaderData<typeof loader>();
  const policy = useApi(getPolicy, request);
  return (
    <>
      {!policy.isInForce && (
        <Banner>
          {formatNodes(texts.outdatedVersion, {
            date: formatPolicyDay(policy.version),
            link: (
              <a className="link" href={policyPath(policy.key)}>
                {texts.currentVersion}
              </a>
            ),
          })}
        </Banner>
      )}
      <ArticlePage
        title={policy.title}
        lead={policy.lead}
        sections={toPolicySections(policy)}
        aside={
          <p className="pt-6 text-small text-muted">
            {formatText(texts.effectiveDate, { date: formatPolicyDay(policy.version) })}
          </p>
        }
      />
    </>
  );
}
