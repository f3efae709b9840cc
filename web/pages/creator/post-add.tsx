/** Creates a post or continues a draft (row C1). */

import { type Draft, getDraft, listDrafts } from '@stagedoor/contract/content/drafts.ts';
import { getOwnProfile } from '@stagedoor/contract/content/profiles.ts';
import { getCurrentUser } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useNavigate,
} from 'react-router';
import { DraftEditor } from '../../modules/content/drafts/draft-editor.tsx';
import { STAY_STATE } from '../../modules/content/drafts/leave-guard.tsx';
import { formatScheduledTime } from '../../modules/content/drafts/local-time.tsx';
import { feesQuery } from '../../modules/content/drafts/net-amount.tsx';
import { invalidatePostLists } from '../../modules/content/posts/cache.ts';
import { showToast } from '../../platform/feedback.ts';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, routeKey, useApi } from '../../platform/query.ts';
import { getOwnZone } from '../../ui/own-zone.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.newPost });

const load: PageLoad<{ draft: Draft | null }> = async ({ client, url }) => {
  const id = url.searchParams.get('draft');
  const [draft] = await Promise.all([
    // Always refetched, because another browser may have changed the draft.
    id === null ? null : client.fetchQuery({ ...apiQuery(getDraft, { params: { id } }), staleTime: 0 }),
    client.ensureQueryData(feesQuery()),
  ]);
  return { draft };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);
/** When a new draft gets its address, the editor already has newer data than the loader would return. */
export const shouldRevalidate = ({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  currentUrl.searchParams.has('draft') || !nextUrl.searchParams.has('draft') ? defaultShouldRevalidate : false;

/** Returns the editor's React key. It stays the same when a new draft gets its address. */
function useEditorKey(draftId: string | undefined): string {
  const { key, state } = useLocation();
  const saved: unknown = typeof state === 'object' && state !== null && 'editor' in state ? state.editor : undefined;
  return typeof saved === 'string' ? saved : (draftId ?? key);
}

export default function NewPostPage() {
  const { draft } = useLoaderData<typeof loader>();
  const { search } = useLocation();
  const me = useApi(getCurrentUser, {});
  const navigate = useNavigate();
  const client = useQueryClient();
  const editor = useEditorKey(draft?.id);
  const invalidateDrafts = () => void client.invalidateQueries({ queryKey: routeKey(listDrafts) });
  return (
    <DraftEditor
      key={editor}
      draft={draft ?? undefined}
      ownId={me.id}
      title={draft ? (draft.scheduledAt ? texts.scheduledPost : texts.draft) : texts.newPost}
      onSaved={(saved) => {
        invalidateDrafts();
        client.setQueryData(apiQuery(getDraft, { params: { id: saved.id } }).queryKey, saved);
        const address = `?draft=${saved.id}`;
        if (search !== address)
          void navigate(address, { replace: true, preventScrollReset: true, state: { ...STAY_STATE, editor } });
      }}
      onPublished={(post) => {
        invalidateDrafts();
        void invalidatePostLists(client);
        void client.invalidateQueries({ queryKey: routeKey(getOwnProfile) });
        void showToast(texts.postPublished, 'success', {
          action: { label: texts.viewPost, onClick: () => void navigate(postPath(post.id)) },
        });
        void navigate(PATHS.creatorFeed, { state: STAY_STATE });
      }}
      onScheduled={({ scheduledAt }) => {
        invalidateDrafts();
        if (scheduledAt)
          void showToast(
            formatText(texts.scheduledFor, { time: formatScheduledTime(new Date(scheduledAt), getOwnZone()) }),
            'success',
          );
        void navigate(`${PATHS.creatorFeed}?status=scheduled`, { state: STAY_STATE });
      }}
      renderPreview={(open) => <PreviewDialog {...open} />}
    />
  );
}
