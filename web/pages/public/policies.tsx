/** All legal texts with their versions and changes (row B9). */
import { listPolicies } from '@stagedoor/contract/trust/legal.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { ArticlePage, type ArticleSection } from './marketing-parts.tsx';
import { VersionList } from './policy-text.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.legal,
    description: texts.policiesLead,
  });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(apiQuery(listPolicies, {}));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function Policies() {
  const { data } = useApi(listPolicies, {});
  return (
    <ArticlePage
      title={texts.legal}
      lead={texts.policiesDescription}
      sections={data.map(
        ({ key, title, lead, versions }): ArticleSection => ({
          id: `text-${key}`,
          title,
          intro: lead,
          children: <VersionList policy={{ key, version: '', versions }} />,
        }),
      )}
    />
  );
}
