/** Publish a post (row C1). */
import { createPost } from '@stagedoor/contract/posts.ts';
import { getOwnProfile } from '@stagedoor/contract/profiles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useNavigate } from 'react-router';
import { forgetLists } from '../../features/posts/cache.ts';
import { Composer, feesQuery } from '../../features/publishing/composer.tsx';
import { useUploads } from '../../features/publishing/uploads.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { say } from '../../kernel/outcome.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { routeKey } from '../../kernel/query.ts';

export const handle: PageHandle = { width: 'column' };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'New post' });

const load: PageLoad<null> = async ({ client }) => {
  await client.ensureQueryData(feesQuery());
  return null;
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export default function NewPost() {
  const uploads = useUploads();
  const navigate = useNavigate();
  const client = useQueryClient();
  const publish = useApiMutation(createPost, {
    showErrorMessage: false,
    onSuccess: (post) => {
      forgetLists(client);
      void client.invalidateQueries({ queryKey: routeKey(getOwnProfile) });
      void say('Published.', 'success', {
        action: { label: 'See it', onClick: () => void navigate(`/post/${post.id}`) },
      });
      void navigate('/creator/feed');
    },
  });
  return (
    <>
      <h1 className="display d2 pt-7 pb-6">New post</h1>
      <Composer
        uploads={uploads}
        verb="Publish"
        isBusy={publish.isPending}
        failure={publish.error?.message}
        onSubmit={(body) => publish.mutate({ body })}
      />
    </>
  );
}
