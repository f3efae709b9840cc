/** A post in an iframe (row B11): its media, or a blurred preview with price and unlock link. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Picture, PostMedia } from '@stagedoor/contract/pictures.ts';
import { getPost, type Post } from '@stagedoor/contract/posts.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { HLS_TYPE } from '../../features/player/plain-media.tsx';
import { describeMedia } from '../../features/posts/post-card.tsx';
import { averageColour } from '../../kernel/pictures.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Icon } from '../../ui/icon.tsx';
import { embed, Face, Out, PersonName } from './document.tsx';
import { EMBED_HANDLE } from './handle.ts';

export const handle = EMBED_HANDLE;

function Image({ picture, alt, isFirst }: { picture: Picture; alt: string; isFirst: boolean }) {
  return (
    <picture>
      {picture.sources.map(({ type, srcset }) => (
        <source key={type} type={type} srcSet={srcset} sizes="100vw" />
      ))}
      <img
        src={picture.url}
        alt={alt}
        width={picture.width}
        height={picture.height}
        loading={isFirst ? 'eager' : 'lazy'}
        style={{ background: averageColour(picture.thumbhash) }}
      />
    </picture>
  );
}

type Open = Extract<PostMedia, { isLocked: false }>;

/**
 * Native players, because they need no script. They use the adaptive stream where the browser supports it, else the
 * file.
 */
function Item({ item, title, isFirst }: { item: Open; title: string; isFirst: boolean }) {
  const { kind, picture, stream } = item;
  const alt = picture.alt || title;
  if (kind === 'picture' || !stream) return <Image picture={picture} alt={alt} isFirst={isFirst} />;
  const tracks = stream.captions.map((track) => (
    <track key={track.language} kind="captions" src={track.url} srcLang={track.language} label={track.label} />
  ));
  const source = (
    <>
      {stream.hls && <source src={stream.hls} type={HLS_TYPE} />}
      {stream.file && <source src={stream.file} type={stream.fileType ?? undefined} />}
    </>
  );
  if (kind === 'audio') {
    return (
      <div className="sound">
        <Image picture={picture} alt="" isFirst={isFirst} />
        {/* biome-ignore lint/a11y/useMediaCaption: they are among the tracks where the creator gave them */}
        <audio controls preload="metadata" aria-label={title}>
          {source}
          {tracks}
        </audio>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: they are among the tracks where the creator gave them
    <video controls playsInline preload="metadata" poster={picture.url} aria-label={title}>
      {source}
      {tracks}
    </video>
  );
}

function Locked({ post, href, title }: { post: Post; href: string; title: string }) {
  const [first] = post.media;
  if (!first?.isLocked) return null;
  const { teaser, preview, kind } = first;
  const seal = (
    <span className="seal">
      <Icon name="lock" size={16} />
      {formatUsd(post.price)}
    </span>
  );
  if (teaser && kind === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: captions are the whole work's, and locked with it
      <video controls playsInline preload="none" poster={preview.url} aria-label={`Preview of ${title}`}>
        <source src={teaser.file} type={teaser.fileType} />
      </video>
    );
  }
  return (
    <Out href={href} className="media--cover">
      <Image picture={preview} alt={`Blurred preview of ${title}`} isFirst />
      {seal}
    </Out>
  );
}

function PostEmbed({ post, origin }: { post: Post; origin: string }) {
  const href = `${origin}/post/${post.id}`;
  const title = post.title || `Post by ${post.author.name}`;
  const open = post.media.filter((item) => !item.isLocked);
  return (
    <>
      <main className="media">
        <h1 className="sr-only">{title}</h1>
        {post.isUnlocked ? (
          <ul className="set">
            {open.map((item, index) => (
              <li key={item.id}>
                <Item item={item} title={title} isFirst={index === 0} />
              </li>
            ))}
          </ul>
        ) : (
          <Locked post={post} href={href} title={title} />
        )}
      </main>
      <footer className="foot">
        <Face person={post.author} />
        <Out href={href} className="who">
          <PersonName person={post.author} />
          <span className="what" style={{ display: 'block' }}>
            <bdi>{post.title || describeMedia(post)}</bdi>
          </span>
        </Out>
        <Out href={href} className={post.isUnlocked ? 'go' : 'go go--main'}>
          {post.isUnlocked ? 'View on Stagedoor' : `Unlock · ${formatUsd(post.price)}`}
        </Out>
      </footer>
    </>
  );
}

export const loader = (args: LoaderFunctionArgs) =>
  embed(args, async ({ params, client, origin }) => {
    const post = await client.ensureQueryData(apiQuery(getPost, { params: { id: params.id ?? '' } }));
    return {
      title: `${post.title || 'Post'} by ${post.author.name}`,
      body: <PostEmbed post={post} origin={origin} />,
    };
  });
