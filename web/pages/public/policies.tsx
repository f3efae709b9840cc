/** All legal texts with their versions and changes (row B9). */
import { listPolicies } from '@stagedoor/contract/policies.ts';
import type { ClientLoaderFunctionArgs, LoaderFunctionArgs, MetaArgs } from 'react-router';
import { Leaf } from '../../features/house/parts.tsx';
import { VersionLines } from '../../features/house/policy-text.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Legal',
    description: 'All policies, versions and changes.',
  });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(apiQuery(listPolicies, {}));
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function Policies() {
  const { data } = useApi(listPolicies, {});
  return (
    <Leaf
      title="Legal"
      lead="All our policies, with previous versions and what changed."
      sections={data.map(({ key, title, lead, versions }) => ({
        id: `text-${key}`,
        title,
        say: lead,
        children: <VersionLines policy={{ key, version: '', versions }} />,
      }))}
    />
  );
}
