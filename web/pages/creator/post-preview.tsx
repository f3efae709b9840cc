import { previewDraft } from '@stagedoor/contract/content/drafts.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
  useSearchParams,
} from 'react-router';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { PriceButton } from '../../ui/button.tsx';
import { PostLayout } from '../post-layout.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { shell: 'none' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.preview });

const load: PageLoad<{ now: string }> = async ({ client, params }) => {
  await client.ensureQueryData(apiQuery(previewDraft, { params: { id: params.id ?? '' } }));
  return { now: new Date().toISOString() };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function PostPreview() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const { open, locked } = useApi(previewDraft, { params: { id } });
  const post = search.get('as') === 'locked' && locked ? locked : open;
  return (
    <main id="main">
      <PostLayout
        post={post}
        now={now}
        isInert
        unlock={<PriceButton wide size="lg" verb={texts.unlock} price={formatUsd(post.price)} />}
      />
    </main>
  );
}
