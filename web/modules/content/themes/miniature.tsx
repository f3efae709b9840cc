import type { PostedMedia } from '@stagedoor/contract/content/posts.ts';
import type { CreatorCard } from '@stagedoor/contract/content/profiles.ts';
import { isDark } from '@stagedoor/contract/content/theme-colours.ts';
import type { ThemeAppearance } from '@stagedoor/contract/content/themes.ts';
import { type Theme, toThemeAppearance } from '@stagedoor/contract/content/themes.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { toPictureProps } from '../../../platform/pictures.ts';
import { cx } from '../../../ui/class-names.ts';
import { Picture } from '../../../ui/picture.tsx';
import { Themed } from './themed.tsx';

export type PreviewCreator = { creator: CreatorCard; media: readonly PostedMedia[] };

export type ThemeSide = 'own' | 'otherMode';

function toSideAppearance(theme: Theme, side: ThemeSide): ThemeAppearance {
  const appearance = toThemeAppearance(theme);
  const isDarkSide = isDark(theme.background) === (side === 'own');
  const palette = isDarkSide ? appearance.dark : appearance.light;
  return { ...appearance, light: palette, dark: palette };
}

/** Purchased works are labelled as the viewer's own. Creators see the price that others pay. */
export function formatWorkPrice({ price, isPurchased }: Pick<PostedMedia, 'price' | 'isPurchased'>): string {
  if (isPurchased) return 'Unlocked';
  return price === 0 ? 'Free' : formatUsd(price);
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
          <bdi>{title || 'Untitled'}</bdi>
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
            <bdi>{creator?.name ?? 'Your name'}</bdi>
          </span>
          <span className="mini__craft one-line">
            <bdi>{creator?.craft || 'What you make'}</bdi>
          </span>
        </div>
        <div className="mini__acts">
          <span className="mini__call">
            <span>Call</span>
            <span className="num">{formatRate(creator?.callRate ?? 4)}</span>
          </span>
          <span className="mini__follow">Follow</span>
        </div>
        <div className="mini__posts">
          {media.length > 0
            ? media.map((one) => <PreviewWork key={one.media.id} media={one} sizes={sizes} />)
            : ['First', 'Second'].map((title) => (
                <span className="mini__post" key={title}>
                  <span className="mini__pic mini__pic--none" />
                  <span className="mini__words">
                    <b>{title} post</b>
                    <span>Free</span>
                  </span>
                </span>
              ))}
        </div>
      </Themed>
    </div>
  );
}
