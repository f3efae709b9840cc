/** The page of one post (row C2). */

import { getPostOgImage } from '@stagedoor/contract/content/og-images.ts';
import {
  filesRevision,
  getPost,
  listCreatorPosts,
  type Post,
  postUnlocked,
  unlockPost,
} from '@stagedoor/contract/content/posts.ts';
import { PATHS, postEditPath, postPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { postId } from '@stagedoor/contract/shared/ids.ts';
import { usd } from '@stagedoor/contract/shared/money.ts';
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
import { MediaViewer, useOpenViewer } from '../modules/content/media/player/media-viewer.tsx';
import { invalidatePost } from '../modules/content/posts/cache.ts';
import { LikeButton } from '../modules/content/posts/like-button.tsx';
import { PostCard, useProtectedPosts } from '../modules/content/posts/post-card.tsx';
import { ShareMenu } from '../modules/content/posts/share-menu.tsx';
import { UnlockButton } from '../modules/content/posts/unlock-button.tsx';
import { toProfileHref } from '../modules/content/profiles/creator-card.tsx';
import { TipButton } from '../modules/finance/wallet/tip-button.tsx';
import { BlockItem } from '../modules/identity/blocks/block-item.tsx';
import { MessageButton } from '../modules/messaging/chat/message-button.tsx';
import { ReportItem } from '../modules/trust/moderation/report-item.tsx';
import { ApiError } from '../platform/api-error.ts';
import { isolateText } from '../platform/bidi.ts';
import { readFormValues, sendForm } from '../platform/form-action.ts';
import { createPageMeta, type PageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiQuery, useApi } from '../platform/query.ts';
import { useViewer } from '../platform/session.ts';
import { useSocketEvent } from '../platform/socket-events.ts';
import { toPostJsonLd } from '../platform/structured-data.ts';
import { IconButton } from '../ui/button.tsx';
import { SectionHead } from '../ui/label.tsx';
import { PostLayout } from './post-layout.tsx';
import { toViewerItems } from './post-player.tsx';
import * as texts from './texts.ts';

type PostPageData = {
  title: string;
  description: string;
  image: string | undefined;
  imageSize: PageMeta['imageSize'];
  video: PageMeta['video'];
  now: string;
  structuredData: Post | undefined;
  /**
   * Whether the author's other posts may be shown. A buyer keeps access to a post after a block and in a geo-blocked
   * region.
   */
  hasMore: boolean;
};
const MAX_MORE = 4;

export const handle: PageHandle = { hydrate: false, width: 'bleed', flush: true };

/** Returns the video for link previews: only of a free post with a plain file. */
function findFreeVideo({ price, media: [first] }: Post): PageMeta['video'] {
  if (price > 0 || !first || first.isLocked || first.kind !== 'video' || !first.stream?.file) return undefined;
  const { file, fileType } = first.stream;
  return { path: file, type: fileType ?? 'video/mp4', width: first.picture.width, height: first.picture.height };
}

const toMoreRequest = (creatorId: string) => ({ params: { creatorId }, query: { limit: MAX_MORE } });

const load: PageLoad<PostPageData> = async ({ client, params, viewer }) => {
  const post = await client.ensureQueryData(apiQuery(getPost, { params: { id: params.id ?? '' } }));
  // Link previews are fetched without a session.
  const isVisitor = (await viewer()) === null;
  const [hasMore, share] = await Promise.all([
    client.ensureQueryData(apiQuery(listCreatorPosts, toMoreRequest(post.author.id))).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'NOT_FOUND') return false;
        throw error;
      },
    ),
    isVisitor ? client.ensureQueryData(apiQuery(getPostOgImage, { params: { id: post.id } })) : undefined,
  ]);
  return {
    title: formatText(texts.titleByName, { title: post.title || texts.post, name: post.author.name }),
    description: post.caption || formatText(texts.postDescription, { name: post.author.name }),
    image: share?.path,
    imageSize: share && { width: share.width, height: share.height },
    video: findFreeVideo(post),
    structuredData: isVisitor ? post : undefined,
    now: new Date().toISOString(),
    hasMore,
  };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

const shownVersion = z.object({ price: usd, filesRevision });

/**
 * Handles the unlock form without script. It sends the displayed price, so that the post is sold only at that price.
 */
export async function action(args: ActionFunctionArgs): Promise<Response | { refusal: string | undefined }> {
  const values = await readFormValues(args.request);
  const id = z.safeParse(postId, args.params.id);
  const shown = z.safeParse(shownVersion, { price: Number(values.price), filesRevision: Number(values.filesRevision) });
  if (!id.success || !shown.success) return { refusal: undefined };
  const request = { params: { id: id.data }, body: shown.data };
  const result = await sendForm(args, unlockPost, request, values, { 'idempotency-key': crypto.randomUUID() });
  return result.ok ? redirect(postPath(id.data), { status: 303 }) : { refusal: result.refusal.message };
}

export const meta = (args: MetaArgs<typeof loader>) => {
  const pageData = args.loaderData;
  if (!pageData) return createPageMeta(args, { title: texts.missingPageTitle });
  return [
    ...createPageMeta(args, { ...pageData, type: pageData.video ? 'video.other' : 'article', isEmbeddable: true }),
    // Only crawlers need this, and they have no session. Browser bundles leave it out.
    ...(import.meta.env.SSR && pageData.structuredData ? toPostJsonLd(args, pageData.structuredData) : []),
  ];
};

function More({ creatorId, name, postId, href }: { creatorId: string; name: string; postId: string; href: string }) {
  const { data, totalCount } = useApi(listCreatorPosts, toMoreRequest(creatorId));
  const others = data.filter((post) => post.id !== postId).slice(0, MAX_MORE - 1);
  useProtectedPosts(others);
  if (others.length === 0) return null;
  return (
    <section className="pt-9 pb-7 lg:pt-7" aria-labelledby="more">
      <SectionHead
        id="more"
        title={formatText(texts.moreFrom, { firstName: isolateText(name.split(' ')[0] ?? name) })}
        end={formatText(texts.allWithCount, { totalCount: totalCount.toLocaleString('en-US') })}
        href={href}
      />
      <ul className="grid grid-cols-2 gap-x-2 gap-y-6 lg:grid-cols-3">
        {others.map((post, index) => (
          // A third post would be alone in the second row of a phone's two columns.
          <li key={post.id} className={index === 2 ? 'min-w-0 max-lg:hidden' : 'min-w-0'}>
            <PostCard post={post} sizes="(min-width: 60rem) 120px, 50vw" hasTier={false} />
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
  const actionData = useActionData<typeof action>();
  useSocketEvent(postUnlocked, (client, { postId }) => void invalidatePost(client, postId));
  const viewer = useViewer();
  const navigate = useNavigate();
  const open = useOpenViewer();
  useProtectedPosts([post]);
  const { author } = post;
  const href = toProfileHref(author);
  return (
    <PostLayout
      post={post}
      now={now}
      unlock={<UnlockButton post={post} refusal={actionData?.refusal} />}
      onOpen={viewer ? ({ id: mediaId }) => open(mediaId) : undefined}
      viewer={viewer && <MediaViewer items={toViewerItems(post)} name={post.title || `Post by ${author.name}`} />}
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
        {viewer?.id === author.id && <IconButton icon="edit" label={texts.editThisPost} href={postEditPath(post.id)} />}
        <ShareMenu
          align="start"
          embed={{ kind: 'post', id: post.id }}
          path={postPath(post.id)}
          text={formatText(texts.titleByName, { title: post.title || texts.post, name: author.name })}
          more={
            <>
              <ReportItem
                target={{ userId: author.id, type: 'post', typeId: post.id }}
                path={postPath(post.id)}
                label={texts.reportThisPost}
              />
              <BlockItem user={author} onBlocked={() => void navigate(PATHS.home)} />
            </>
          }
        />
      </div>
      {hasMore && <More creatorId={author.id} name={author.name} postId={post.id} href={href} />}
    </PostLayout>
  );
}
