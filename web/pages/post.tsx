/** One post (row C2): the media first, then who made it, what it is, and what it costs. */
import { getPost, listCreatorPosts, type Post } from '@stagedoor/contract/posts.ts';
import { postUnlocked } from '@stagedoor/contract/wallet.ts';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useLoaderData,
  useParams,
} from 'react-router';
import { MediaViewer, useOpenViewer } from '../features/player/media-viewer.tsx';
import { forgetPost } from '../features/posts/cache.ts';
import { textBelow } from '../features/posts/caption.ts';
import { LikeButton } from '../features/posts/like-button.tsx';
import { leadPicture, PostCard } from '../features/posts/post-card.tsx';
import { PostFacts } from '../features/posts/post-facts.tsx';
import { PostMedia } from '../features/posts/post-media.tsx';
import { ShareMenu } from '../features/posts/share-menu.tsx';
import { UnlockButton } from '../features/posts/unlock-button.tsx';
import { profileHref } from '../features/profiles/creator-card.tsx';
import { TipButton } from '../features/wallet/tip-button.tsx';
import { formatDay } from '../kernel/dates.ts';
import { useLive } from '../kernel/live.ts';
import { type PageMeta, pageMeta } from '../kernel/meta.ts';
import type { PageHandle } from '../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../kernel/page-data.ts';
import { apiQuery, useApi } from '../kernel/query.ts';
import { useViewer } from '../kernel/session.ts';
import { IconButton } from '../ui/button.tsx';
import { PersonRow } from '../ui/card.tsx';
import { SectionHead, YoursDot } from '../ui/label.tsx';
import { ActionBar } from '../ui/shell.tsx';
import { Played, shownOf } from './playing.tsx';

type Told = { title: string; description: string; image: string | undefined; video: PageMeta['video']; now: string };
const MORE = 4;
/** As large as a locked post's preview. */
const LOCKED_ROOM = 'aspect-square lg:aspect-auto lg:h-screen';

export const handle: PageHandle = { hydrate: false, width: 'bleed', flush: true };

/** What a link's preview elsewhere may play: a free post's film, where there is a plain file of it. */
function freeVideoOf({ price, media: [first] }: Post): PageMeta['video'] {
  if (price > 0 || !first || first.isLocked || first.kind !== 'video' || !first.stream?.file) return undefined;
  const { file, fileType } = first.stream;
  return { path: file, type: fileType ?? 'video/mp4', width: first.picture.width, height: first.picture.height };
}

const moreOf = (creatorId: string) => ({ params: { creatorId }, query: { limit: MORE } });

const load: PageLoad<Told> = async ({ client, params }) => {
  const post = await client.ensureQueryData(apiQuery(getPost, { params: { id: params.id ?? '' } }));
  await client.ensureQueryData(apiQuery(listCreatorPosts, moreOf(post.author.id)));
  return {
    title: `${post.title || 'A post'} by ${post.author.name}`,
    description: post.caption || `${post.author.name} on Stagedoor.`,
    image: leadPicture(post) && `/post/${post.id}.jpg`,
    video: freeVideoOf(post),
    now: new Date().toISOString(),
  };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

export const meta = (args: MetaArgs<typeof loader>) => {
  const told = args.loaderData;
  if (!told) return pageMeta(args, { title: 'Not found' });
  return pageMeta(args, { ...told, type: told.video ? 'video.other' : 'article', isEmbeddable: true });
};

function More({ creatorId, name, postId, href }: { creatorId: string; name: string; postId: string; href: string }) {
  const { data, totalCount } = useApi(listCreatorPosts, moreOf(creatorId));
  const others = data.filter((post) => post.id !== postId).slice(0, MORE - 1);
  if (others.length === 0) return null;
  return (
    <section className="pt-9 pb-7 lg:pt-7" aria-labelledby="more">
      <SectionHead
        id="more"
        title={`More from ${name.split(' ')[0]}`}
        end={`All ${totalCount.toLocaleString('en-US')}`}
        href={href}
      />
      <ul className="grid grid-cols-2 gap-x-2 gap-y-6 lg:grid-cols-3">
        {others.map((post) => (
          <li key={post.id} className="min-w-0">
            <PostCard post={post} sizes="(min-width: 960px) 120px, 50vw" />
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function PostPage() {
  const { id = '' } = useParams();
  const { now } = useLoaderData<typeof loader>();
  const post = useApi(getPost, { params: { id } });
  useLive(postUnlocked, (client, { postId }) => forgetPost(client, postId));
  const viewer = useViewer();
  const open = useOpenViewer();
  const { author } = post;
  const href = profileHref(author);
  const text = textBelow(post);
  const place = [[author.craft, author.city].filter(Boolean).join(', '), formatDay(post.createdAt, now)]
    .filter(Boolean)
    .join(' · ');
  return (
    <article className="lg:grid lg:min-h-screen lg:grid-cols-[minmax(0,1fr)_424px]">
      <div className={post.isUnlocked ? 'bg-surface-1' : 'lg:sticky lg:top-0 lg:h-screen'}>
        <PostMedia
          post={post}
          onOpen={viewer ? ({ id: mediaId }) => open(mediaId) : undefined}
          play={(item, sizes, isPriority) => (
            <Played
              {...{ post, item, sizes, isPriority }}
              {...(item.isLocked && item.kind === 'video' && { ratio: 'auto', className: LOCKED_ROOM })}
            />
          )}
        />
        {viewer && <MediaViewer items={shownOf(post)} name={post.title || `A post by ${author.name}`} />}
      </div>
      {/* Held by its lower edge: a long caption is scrolled to its end, a short one stands still beside the pictures. */}
      <div className="flex flex-col px-edge pt-1 lg:sticky lg:bottom-0 lg:min-h-screen lg:self-end lg:pt-7 lg:pl-12">
        <PersonRow
          name={author.name}
          href={href}
          verified={author.isVerified}
          avatar={{ src: author.avatarUrl }}
          sub={place}
          className="py-3.5"
        />
        <h1 className="display d3 mt-1.5 mb-[18px] wrap-anywhere">{post.title || `A post by ${author.name}`}</h1>
        {text && (
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {text}
          </p>
        )}
        {!post.isUnlocked && (
          <>
            <div className="my-[18px]">
              <PostFacts post={post} />
            </div>
            <ActionBar>
              <UnlockButton post={post} />
            </ActionBar>
          </>
        )}
        {post.isPurchased && (
          <p className="pt-4">
            <YoursDot />
          </p>
        )}
        <div className="-ml-[11px] flex items-center gap-1 pt-2 text-muted">
          <LikeButton key={post.id} post={post} />
          <TipButton
            target={{
              creatorId: author.id,
              creatorName: author.name,
              type: 'post',
              postId: post.id,
              returnTo: `/post/${post.id}`,
            }}
          />
          {viewer?.id === author.id && (
            <IconButton icon="edit" label="Edit this post" href={`/creator/post/${post.id}/edit`} />
          )}
          <ShareMenu
            align="start"
            frame={{ kind: 'post', id: post.id }}
            path={`/post/${post.id}`}
            text={`${post.title || 'A post'} by ${author.name}`}
          />
        </div>
        <More creatorId={author.id} name={author.name} postId={post.id} href={href} />
      </div>
    </article>
  );
}
