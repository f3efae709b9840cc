import { type Post, removeOwnTag, type TaggedUser } from '@stagedoor/contract/content/posts.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { showToast } from '../../../platform/feedback.ts';
import { lazyPart } from '../../../platform/lazy-part.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { useViewer } from '../../../platform/session.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { updateCachedPost } from './cache.ts';
import * as texts from './texts.ts';

const ConfirmDialog = lazyPart(async () => (await import('../../../ui/dialog.tsx')).ConfirmDialog);

/** Removes the viewer's tag permanently, after a confirmation. */
function RemoveOwnTag({ post, ownTag }: { post: Post; ownTag: TaggedUser }) {
  const [isPrompting, setIsPrompting] = useState(false);
  const client = useQueryClient();
  const removeTag = useApiMutation(removeOwnTag, {
    onSuccess: ({ info }) => {
      setIsPrompting(false);
      updateCachedPost(client, post.id, (cached) => ({
        ...cached,
        people: cached.people.filter(({ id }) => id !== ownTag.id),
      }));
      void showToast(info, 'success');
    },
  });
  return (
    <>
      <Button variant="quiet" className="-ml-2.5" onClick={() => setIsPrompting(true)}>
        {texts.removeMeFromPost}
      </Button>
      {isPrompting && (
        <Suspense>
          <ConfirmDialog
            open
            onOpenChange={setIsPrompting}
            title={texts.removeTagQuestion}
            lead={formatText(texts.removeTagConsequence, { authorName: isolateText(post.author.name) })}
            confirmText={texts.removeMe}
            danger
            busy={removeTag.isPending}
            onConfirm={() => removeTag.mutate({ params: { id: post.id } })}
          />
        </Suspense>
      )}
    </>
  );
}

export function TaggedUsers({ post }: { post: Post }) {
  const viewer = useViewer();
  if (post.people.length === 0) return null;
  const ownTag = post.people.find(({ id }) => id === viewer?.id);
  return (
    <section className="mt-4" aria-label={texts.taggedUsers}>
      <ul className="flex flex-wrap items-center gap-x-4">
        <li className="text-small text-muted" aria-hidden="true">
          {texts.withUsers}
        </li>
        {post.people.map((user) => (
          <li key={user.id} className="min-w-0">
            <UiLink href={profilePath(user.username)} className="flex min-h-11 items-center gap-2 font-semibold">
              <Avatar name={user.name} src={user.avatarUrl} size="s" />
              <bdi className="one-line">{user.name}</bdi>
            </UiLink>
          </li>
        ))}
      </ul>
      {ownTag && <RemoveOwnTag post={post} ownTag={ownTag} />}
    </section>
  );
}
