/** A post in an iframe (row B11): its media, or a blurred preview with price and unlock link. */

import type { Picture, PostMedia } from '@stagedoor/contract/content/pictures.ts';
import { getPost, type Post } from '@stagedoor/contract/content/posts.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import type { LoaderFunctionArgs } from 'react-router';
import { HLS_TYPE } from '../../modules/content/media/player/plain-media.tsx';
import { describeMedia } from '../../modules/content/posts/post-card.tsx';
import { formatWaysIn } from '../../modules/content/posts/ways-in.tsx';
import { toAverageColor } from '../../platform/pictures.ts';
import { apiQuery } from '../../platform/query.ts';
import { Icon } from '../../ui/icon.tsx';
import { AuthorAvatar, AuthorName, ExternalLink, renderEmbed } from './document.tsx';
import { EMBED_HANDLE } from './handle.ts';
import * as texts from './texts.ts';

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
        style={{ background: toAverageColor(picture.thumbhash) }}
      />
    </picture>
  );
}

type OpenMedia = Extract<PostMedia, { isLocked: false }>;

/**
 * Native players, because they need no script. They use the adaptive stream where the browser supports it, else the
 * file.
 */
function Item({ item, title, isFirst }: { item: OpenMedia; title: string; isFirst: boolean }) {
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
      {formatWaysIn(post)}
    </span>
  );
  if (teaser && kind === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: captions are the whole work's, and locked with it
      <video
        controls
        playsInline
        preload="none"
        poster={preview.url}
        aria-label={formatText(texts.previewTitle, { title })}
      >
        <source src={teaser.file} type={teaser.fileType} />
      </video>
    );
  }
  return (
    <ExternalLink href={href} className="media--cover">
      <Image picture={preview} alt={formatText(texts.blurredPostPreview, { title })} isFirst />
      {seal}
    </ExternalLink>
  );
}

function PostEmbed({ post, origin }: { post: Post; origin: string }) {
  const href = `${origin}/post/${post.id}`;
  const title = post.title || formatText(texts.postByName, { authorName: post.author.name });
  const openMedia = post.media.filter((item) => !item.isLocked);
  return (
    <>
      <main className="media">
        <h1 className="sr-only">{title}</h1>
        {post.isUnlocked ? (
          <ul className="set">
            {openMedia.map((item, index) => (
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
        <AuthorAvatar author={post.author} />
        <ExternalLink href={href} className="who">
          <AuthorName author={post.author} />
          <span className="what" style={{ display: 'block' }}>
            <bdi>{post.title || describeMedia(post)}</bdi>
          </span>
        </ExternalLink>
        <ExternalLink href={href} className={post.isUnlocked ? 'go' : 'go go--main'}>
          {post.isUnlocked ? texts.viewOnStagedoor : formatText(texts.unlockForPrice, { price: formatUsd(post.price) })}
        </ExternalLink>
      </footer>
    </>
  );
}

export const loader = (args: LoaderFunctionArgs) =>
  renderEmbed(args, async ({ params, client, origin }) => {
    const post = await client.ensureQueryData(apiQuery(getPost, { params: { id: params.id ?? '' } }));
    return {
      title: formatText(texts.postTitleByName, { title: post.title || texts.post, authorName: post.author.name }),
      body: <PostEmbed post={post} origin={origin} />,
    };
  });
