import { currentUser } from '@stagedoor/contract/accounts.ts';
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { deletePost, getPost, updatePost } from '@stagedoor/contract/posts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useNavigate,
  useParams,
} from 'react-router';
import { forgetPost } from '../../features/posts/cache.ts';
import { TakeDownDialog } from '../../features/posts/take-down-dialog.tsx';
import { STAYS } from '../../features/publishing/leave-guard.tsx';
import { feesQuery } from '../../features/publishing/net.tsx';
import { PostEditor } from '../../features/publishing/post-editor.tsx';
import { pageMeta } from '../../kernel/meta.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';

export const handle: PageHandle = { width: 'column', nav: PATHS.creatorFeed };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Edit post' });

const load: PageLoad<null> = async ({ client, params }) => {
  await Promise.all([
    client.ensureQueryData(feesQuery()),
    client.ensureQueryData(apiQuery(getPost, { params: { id: params.id ?? '' } })),
  ]);
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function EditPost() {
  const { id = '' } = useParams();
  const post = useApi(getPost, { params: { id } });
  const me = useApi(currentUser, {});
  const [isAsking, setIsAsking] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const done = (words: string) => {
    void forgetPost(client, post.id);
    void showToast(words, 'success');
    void navigate(PATHS.creatorFeed, { state: STAYS });
  };
  const save = useApiMutation(updatePost, { showErrorMessage: false, onSuccess: () => done('Saved.') });
  const remove = useApiMutation(deletePost, { onSuccess: ({ info }) => done(info) });
  return (
    <>
      <h1 className="display d3 pt-3 pb-2 lg:pt-7 lg:pb-6">Edit post</h1>
      <PostEditor
        key={id}
        post={post}
        ownId={me.id}
        isBusy={save.isPending}
        failure={save.error}
        onSave={(body) => save.mutateAsync({ params: { id }, body })}
      />
      <div className="mt-9 border-t border-line pt-6">
        <Button variant="danger" icon="trash" onClick={() => setIsAsking(true)}>
          Delete post
        </Button>
      </div>
      <TakeDownDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id } })}
      />
    </>
  );
}
