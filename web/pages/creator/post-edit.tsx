import { deletePost, getPost, updatePost } from '@stagedoor/contract/content/posts.ts';
import { getCurrentUser } from '@stagedoor/contract/identity/accounts.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useNavigate,
  useParams,
} from 'react-router';
import { STAY_STATE } from '../../modules/content/drafts/leave-guard.tsx';
import { feesQuery } from '../../modules/content/drafts/net-amount.tsx';
import { PostEditor } from '../../modules/content/drafts/post-editor.tsx';
import { invalidatePost } from '../../modules/content/posts/cache.ts';
import { TakeDownDialog } from '../../modules/content/posts/take-down-dialog.tsx';
import { showToast } from '../../platform/feedback.ts';
import { createPageMeta } from '../../platform/meta.ts';
import { useApiMutation } from '../../platform/mutation.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button } from '../../ui/button.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorFeed };
export const meta = (args: MetaArgs) => createPageMeta(args, { title: texts.editPost });

const load: PageLoad<null> = async ({ client, params }) => {
  await Promise.all([
    client.ensureQueryData(feesQuery()),
    client.ensureQueryData(apiQuery(getPost, { params: { id: params.id ?? '' } })),
  ]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function EditPost() {
  const { id = '' } = useParams();
  const post = useApi(getPost, { params: { id } });
  const me = useApi(getCurrentUser, {});
  const [isConfirming, setIsConfirming] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const finish = (message: string) => {
    void invalidatePost(client, post.id);
    void showToast(message, 'success');
    void navigate(PATHS.creatorFeed, { state: STAY_STATE });
  };
  const save = useApiMutation(updatePost, { showErrorMessage: false, onSuccess: () => finish(texts.saved) });
  const remove = useApiMutation(deletePost, { onSuccess: ({ info }) => finish(info) });
  return (
    <>
      <h1 className="display d3 pt-3 pb-2 lg:pt-7 lg:pb-6">{texts.editPost}</h1>
      <PostEditor
        key={id}
        post={post}
        ownId={me.id}
        isBusy={save.isPending}
        failure={save.error}
        onSave={(body) => save.mutateAsync({ params: { id }, body })}
      />
      <div className="mt-9 border-t border-line pt-6">
        <Button variant="danger" icon="trash" onClick={() => setIsConfirming(true)}>
          {texts.deletePost}
        </Button>
      </div>
      <TakeDownDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id } })}
      />
    </>
  );
}
