import type { PostedMedia } from '@stagedoor/contract/content/posts.ts';
import type { CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { isDark } from '@stagedoor/contract/content/theme-colours.ts';
import type { ThemeAppearance } from '@stagedoor/contract/content/themes.ts';
import { type Theme, toThemeAppearance } from '@stagedoor/contract/content/themes.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { cx } from '../../../ui/class-names.ts';
import { Picture } from '../../../ui/picture.tsx';
import * as texts from './texts.ts';
import { Themed } from './themed.tsx';

export type PreviewCreator = { creator: CreatorCard; media: readonly PostedMedia[] };

export type ThemeSide = 'own' | 'otherMode';

export function toSideAppearance(theme: Theme, side: ThemeSide): ThemeAppearance {
  const appearance = toThemeAppearance(theme);
  const isDarkSide = isDark(theme.background) === (side === 'own');
  const palette = isDarkSide ? appearance.dark : appearance.light;
  return { ...appearance, light: palette, dark: palette };
}

/** Purchased works are labelled as the viewer's own. Creators see the price that others pay. */
export function formatWorkPrice({ price, isPurchased }: Pick<PostedMedia, 'price' | 'isPurchased'>): string {
  if (isPurchased) return texts.unlocked;
  return price === 0 ? texts.free : formatUsd(price);
}

function PreviewWork({ media, sizes }: { media: PostedMedia; sizes: string }) {
  const { title, media: medium } = media;
  return (
    <span className="mini__post">
      <Picture
        {...toPictureProps(medium.isLocked ? medium.preview : medium.picture, sizes, { ratio: '1', alt: '' })}
        className="mini__pic"
      />
      <span className="mini__words">
        <b className="one-line">
          <bdi>{title || texts.untitled}</bdi>
        </b>
        <span className="num">{formatWorkPrice(media)}</span>
      </span>
    </span>
  );
}

export function Miniature({
  theme,
  side = 'own',
  previewCreator,
}: {
  theme: Theme;
  side?: ThemeSide;
  previewCreator: PreviewCreator | undefined;
}) {
  const { creator, media = [] } = previewCreator ?? {};
  const coverPicture = theme.cover !== 'colour' && creator?.cover;
  const sizes = '(min-width: 60rem) 160px, 25vw';
  return (
    <div aria-hidden="true" className="mini-room" inert>
      <Themed
        appearance={toSideAppearance(theme, side)}
        className={cx('mini', `mini--${theme.layout}`, `mini--${theme.shape}`, `mini--${theme.format}`)}
      >
        <div className="mini__cover profile-cover">
          {coverPicture ? (
            <Picture
              {...toPictureProps(coverPicture, '(min-width: 60rem) 330px, 50vw', { alt: '', ratio: 'auto' })}
              className="mini__hung"
            />
          ) : null}
        </div>
        <div className="mini__id">
          <span className="mini__face">
            {creator?.avatarUrl ? <img src={creator.avatarUrl} alt="" loading="lazy" decoding="async" /> : null}
          </span>
          <span className="mini__name display">
            <bdi>{creator?.name ?? texts.yourName}</bdi>
          </span>
          <span className="mini__craft one-line">
            <bdi>{creator?.craft || texts.whatYouMake}</bdi>
          </span>
        </div>
        <div className="mini__acts">
          <span className="mini__call">
            <span>{texts.call}</span>
            <span className="num">{formatRate(creator?.callRate ?? 4)}</span>
          </span>
          <span className="mini__follow">{texts.follow}</span>
        </div>
        <div className="mini__posts">
          {media.length > 0
            ? media.map((one) => <PreviewWork key={one.media.id} media={one} sizes={sizes} />)
            : [texts.firstPostTitle, texts.secondPostTitle].map((title) => (
                <span className="mini__post" key={title}>
                  <span className="mini__pic mini__pic--none" />
                  <span className="mini__words">
                    <b>{formatText(texts.postTitled, { title })}</b>
                    <span>{texts.free}</span>
                  </span>
                </span>
              ))}
        </div>
      </Themed>
    </div>
  );
}
