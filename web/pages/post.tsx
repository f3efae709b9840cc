/** The page of one post (row C2). */

import { PATHS, postEditPath, postPath } from '@stagedoor/contract/addresses.ts';
import { postId } from '@stagedoor/contract/atoms/ids.ts';
import { usd } from '@stagedoor/contract/atoms/money.ts';
import {
  filesRevision,
  getPost,
  listCreatorPosts,
  type Post,
  postUnlocked,
  unlockPost,
} from '@stagedoor/contract/posts.ts';
import { postSharePicture } from '@stagedoor/contract/shares.ts';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useActionData,
  useLoaderData,
  useNavigate,
  useParams,
} from 'react-router';
import * as z from 'zod/mini';
import { BlockItem } from '../features/blocking/block-item.tsx';
import { ReportItem } from '../features/cases/report-item.tsx';
import { MessageButton } from '../features/chat/message-button.tsx';
import { MediaViewer, useOpenViewer } from '../features/player/media-viewer.tsx';
import { forgetPost } from '../features/posts/cache.ts';
import { LikeButton } from '../features/posts/like-button.tsx';
import { PostCard, useProtectedPosts } from '../features/posts/post-card.tsx';
import { ShareMenu } from '../features/posts/share-menu.tsx';
import { UnlockButton } from '../features/posts/unlock-button.tsx';
import { profileHref } from '../features/profiles/creator-card.tsx';
import { TipButton } from '../features/wallet/tip-button.tsx';
import { ApiError } from '../kernel/api-error.ts';
import { isolated } from '../kernel/bidi.ts';
import { postForMachines } from '../kernel/for-machines.ts';
import { formValues, sendForm } from '../kernel/form-action.ts';
import { useLive } from '../kernel/live.ts';
import { type PageMeta, pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { apiQuery, useApi } from '../kernel/query.ts';
import { useViewer } from '../kernel/session.ts';
import { IconButton } from '../ui/button.tsx';
import { SectionHead } from '../ui/label.tsx';
import { shownOf } from './playing.tsx';
import { PostFace } from './post-face.tsx';

type Told = {
  title: string;
  description: string;
  image: string | undefined;
  imageSize: PageMeta['imageSize'];
  video: PageMeta['video'];
  now: string;
  forMachines: Post | undefined;
  /**
   * Whether the author's other posts may be shown. A buyer keeps access to a post after a block and in a geo-blocked
   * region.
   */
  hasMore: boolean;
};
const MORE = 4;

export const handle: PageHandle = { hydrate: false, width: 'bleed', flush: true };

/** Returns the video for link previews: only of a free post with a plain file. */
function freeVideoOf({ price, media: [first] }: Post): PageMeta['video'] {
  if (price > 0 || !first || first.isLocked || first.kind !== 'video' || !first.stream?.file) return undefined;
  const { file, fileType } = first.stream;
  return { path: file, type: fileType ?? 'video/mp4', width: first.picture.width, height: first.picture.height };
}

const moreOf = (creatorId: string) => ({ params: { creatorId }, query: { limit: MORE } });

const load: PageLoad<Told> = async ({ client, params, viewer }) => {
  const post = await client.ensureQueryData(apiQuery(getPost, { params: { id: params.id ?? '' } }));
  const hasMore = await client.ensureQueryData(apiQuery(listCreatorPosts, moreOf(post.author.id))).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return false;
      throw error;
    },
  );
  // Link previews are fetched without a session.
  const isVisitor = (await viewer()) === null;
  const share = isVisitor
    ? await client.ensureQueryData(apiQuery(postSharePicture, { params: { id: post.id } }))
    : undefined;
  return {
    title: `${post.title || 'Post'} by ${post.author.name}`,
    description: post.caption || `${post.author.name} on Stagedoor.`,
    image: share?.path,
    imageSize: share && { width: share.width, height: share.height },
    video: freeVideoOf(post),
    forMachines: isVisitor ? post : undefined,
    now: new Date().toISOString(),
    hasMore,
  };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const SEEN = z.object({ price: usd, filesRevision });

/**
 * Handles the unlock form without script. It sends the displayed price, so that the post is sold only at that price.
 */
export async function action(args: ActionFunctionArgs): Promise<Response | { refusal: string | undefined }> {
  const values = await formValues(args.request);
  const id = z.safeParse(postId, args.params.id);
  const seen = z.safeParse(SEEN, { price: Number(values.price), filesRevision: Number(values.filesRevision) });
  if (!id.success || !seen.success) return { refusal: undefined };
  const request = { params: { id: id.data }, body: seen.data };
  const result = await sendForm(args, unlockPost, request, values, { 'idempotency-key': crypto.randomUUID() });
  return result.ok ? redirect(postPath(id.data), { status: 303 }) : { refusal: result.refused.message };
}

export const meta = (args: MetaArgs<typeof loader>) => {
  const told = args.loaderData;
  if (!told) return pageMeta(args, { title: 'Not found' });
  return [
    ...pageMeta(args, { ...told, type: told.video ? 'video.other' : 'article', isEmbeddable: true }),
    // Only crawlers need this, and they have no session. Browser bundles leave it out.
    ...(import.meta.env.SSR && told.forMachines ? postForMachines(args, told.forMachines) : []),
  ];
};

function More({ creatorId, name, postId, href }: { creatorId: string; name: string; postId: string; href: string }) {
  const { data, totalCount } = useApi(listCreatorPosts, moreOf(creatorId));
  const others = data.filter((post) => post.id !== postId).slice(0, MORE - 1);
  useProtectedPosts(others);
  if (others.length === 0) return null;
  return (
    <section className="pt-9 pb-7 lg:pt-7" aria-labelledby="more">
      <SectionHead
        id="more"
        title={`More from ${isolated(name.split(' ')[0] ?? name)}`}
        end={`All ${totalCount.toLocaleString('en-US')}`}
        href={href}
      />
      <ul className="grid grid-cols-2 gap-x-2 gap-y-6 lg:grid-cols-3">
        {others.map((post, index) => (
          // A third post would be alone in the second row of a phone's two columns.
          <li key={post.id} className={index === 2 ? 'min-w-0 max-lg:hidden' : 'min-w-0'}>
            <PostCard post={post} sizes="(min-width: 60rem) 120px, 50vw" />
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function PostPage() {
  const { id = '' } = useParams();
  const { now, hasMore } = useLoaderData<typeof loader>();
  const post = useApi(getPost, { params: { id } });
  const answer = useActionData<typeof action>();
  useLive(postUnlocked, (client, { postId }) => void forgetPost(client, postId));
  const viewer = useViewer();
  const navigate = useNavigate();
  const open = useOpenViewer();
  useProtectedPosts([post]);
  const { author } = post;
  const href = profileHref(author);
  return (
    <PostFace
      post={post}
      now={now}
      unlock={<UnlockButton post={post} refusal={answer?.refusal} />}
      onOpen={viewer ? ({ id: mediaId }) => open(mediaId) : undefined}
      viewer={viewer && <MediaViewer items={shownOf(post)} name={post.title || `Post by ${author.name}`} />}
    >
      <div className="-ml-[11px] flex items-center gap-1 pt-2 text-muted">
        <LikeButton key={post.id} post={post} />
        <TipButton
          target={{
            creatorId: author.id,
            creatorName: author.name,
            type: 'post',
            postId: post.id,
            returnTo: postPath(post.id),
          }}
        />
        <MessageButton creatorId={author.id} creatorName={author.name} />
        {viewer?.id === author.id && <IconButton icon="edit" label="Edit this post" href={postEditPath(post.id)} />}
        <ShareMenu
          align="start"
          frame={{ kind: 'post', id: post.id }}
          path={postPath(post.id)}
          text={`${post.title || 'Post'} by ${author.name}`}
          more={
            <>
              <ReportItem
                target={{ userId: author.id, type: 'post', typeId: post.id }}
                path={postPath(post.id)}
                label="Report this post"
              />
              <BlockItem person={author} onBlocked={() => void navigate(PATHS.home)} />
            </>
          }
        />
      </div>
      {hasMore && <More creatorId={author.id} name={author.name} postId={post.id} href={href} />}
    </PostFace>
  );
}
