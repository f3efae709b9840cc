/** Change an own post: caption, price, order and alt texts; or take it down. */
import { deletePost, getPost, type Post, updatePost } from '@stagedoor/contract/posts.ts';
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
import { Composer, feesQuery } from '../../features/publishing/composer.tsx';
import { type Item, useUploads } from '../../features/publishing/uploads.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { say } from '../../kernel/outcome.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';

export const handle: PageHandle = { width: 'column', nav: '/creator/feed' };
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

/** A published post's media as a draft's items: on the server already, ready. */
function itemsOf(post: Post): Item[] {
  return post.media.map((media) => {
    const { url, alt } = media.isLocked ? media.preview : media.picture;
    return {
      key: media.id,
      name: alt || 'Picture',
      byteSize: media.byteSize,
      sent: media.byteSize,
      state: 'ready',
      failure: undefined,
      mediaId: media.id,
      alt,
      src: url,
    };
  });
}

export default function EditPost() {
  const { id = '' } = useParams();
  const post = useApi(getPost, { params: { id } });
  const uploads = useUploads(itemsOf(post));
  const [isAsking, setIsAsking] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();
  const done = (words: string) => {
    forgetPost(client, post.id);
    void say(words, 'success');
    void navigate('/creator/feed');
  };
  const save = useApiMutation(updatePost, { showErrorMessage: false, onSuccess: () => done('Saved.') });
  const remove = useApiMutation(deletePost, { onSuccess: () => done('Taken down. Who bought it keeps it.') });
  return (
    <>
      <h1 className="display d2 pt-7 pb-6">Edit post</h1>
      <Composer
        uploads={uploads}
        initial={{ caption: post.caption, price: post.price }}
        verb="Save"
        isBusy={save.isPending}
        failure={save.error?.message}
        onSubmit={(body) => save.mutate({ params: { id }, body })}
      />
      <div className="mt-9 border-t border-line pt-6">
        <Button variant="danger" icon="trash" onClick={() => setIsAsking(true)}>
          Take this post down
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Take this post down?"
        lead="It leaves your profile and every feed. Fans who bought it keep it."
        confirmText="Take it down"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id } })}
      />
    </>
  );
}
