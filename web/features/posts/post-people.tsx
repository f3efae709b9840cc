import { profilePath } from '@stagedoor/contract/addresses.ts';
import { leavePost, type Person, type Post } from '@stagedoor/contract/posts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import { showToast } from '../../kernel/outcome.ts';
import { useViewer } from '../../kernel/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { UiLink } from '../../ui/link.tsx';
import { changePost } from './cache.ts';

const ConfirmDialog = lazyPart(async () => (await import('../../ui/dialog.tsx')).ConfirmDialog);

export function PostTags({ post }: { post: Pick<Post, 'tags'> }) {
  if (post.tags.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-wrap gap-x-3 gap-y-1 text-small text-muted" aria-label="Tags">
      {post.tags.map((tag) => (
        <li key={tag} className="wrap-anywhere">
          <bdi>#{tag}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Removes the viewer's tag permanently, after a confirmation. */
function Leave({ post, me }: { post: Post; me: Person }) {
  const [isAsking, setIsAsking] = useState(false);
  const client = useQueryClient();
  const leave = useApiMutation(leavePost, {
    onSuccess: ({ info }) => {
      setIsAsking(false);
      changePost(client, post.id, (shown) => ({ ...shown, people: shown.people.filter(({ id }) => id !== me.id) }));
      void showToast(info, 'success');
    },
  });
  return (
    <>
      <Button variant="quiet" className="-ml-2.5" onClick={() => setIsAsking(true)}>
        Remove me from this post
      </Button>
      {isAsking && (
        <Suspense>
          <ConfirmDialog
            open
            onOpenChange={setIsAsking}
            title="Remove yourself from this post?"
            lead={`Your tag is removed permanently. ${isolated(post.author.name)} can’t add it again.`}
            confirmText="Remove me"
            danger
            busy={leave.isPending}
            onConfirm={() => leave.mutate({ params: { id: post.id } })}
          />
        </Suspense>
      )}
    </>
  );
}

export function PostPeople({ post }: { post: Post }) {
  const viewer = useViewer();
  if (post.people.length === 0) return null;
  const me = post.people.find(({ id }) => id === viewer?.id);
  return (
    <section className="mt-4" aria-label="Tagged people">
      <ul className="flex flex-wrap items-center gap-x-4">
        <li className="text-small text-muted" aria-hidden="true">
          With
        </li>
        {post.people.map((person) => (
          <li key={person.id} className="min-w-0">
            <UiLink href={profilePath(person.username)} className="flex min-h-11 items-center gap-2 font-semibold">
              <Avatar name={person.name} src={person.avatarUrl} size="s" />
              <bdi className="one-line">{person.name}</bdi>
            </UiLink>
          </li>
        ))}
      </ul>
      {me && <Leave post={post} me={me} />}
    </section>
  );
}
