import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { type Theme, toThemeAppearance } from '@stagedoor/contract/content/themes.ts';
import { PostGallery } from '../modules/content/posts/post-gallery.tsx';
import { type ThemeSide, toSideAppearance } from '../modules/content/themes/miniature.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { PreviewFrame } from '../ui/preview-frame.tsx';
import { EmptyState } from '../ui/states.tsx';
import { ProfileView } from './profile-view.tsx';
import * as texts from './texts.ts';

type ThemePreviewPageProps = {
  profile: Profile;
  posts: readonly Post[];
  theme: Theme;
  /** Shows this side whatever color scheme the page has. */
  side?: ThemeSide;
};

export function ThemePreviewPage({ profile, posts, theme, side }: ThemePreviewPageProps) {
  const { layout, shape, format } = theme;
  const appearance = side ? toSideAppearance(theme, side) : toThemeAppearance(theme);
  const shown = { ...profile, layout, shape, format, theme: appearance };
  return (
    <ProfileView
      profile={shown}
      tab="posts"
      actions={
        <>
          <Button className="follow">{texts.follow}</Button>
          <span className="flex-1" />
          <IconButton icon="share" label={texts.share} />
        </>
      }
    >
      {posts.length === 0 ? (
        <EmptyState line={texts.noPostsYet} />
      ) : (
        <div className="pt-5 pb-9">
          <PostGallery posts={posts} layout={shown} />
        </div>
      )}
    </ProfileView>
  );
}

export function ThemePreviewFrame({
  title,
  width,
  height,
  mode,
  profile,
  posts,
  theme,
}: {
  title: string;
  /** The size of the screen in CSS pixels. */
  width: number;
  height: number;
  mode: 'light' | 'dark';
  profile: Profile;
  posts: readonly Post[];
  theme: Theme;
}) {
  return (
    <PreviewFrame title={title} width={width} height={height} theme={mode}>
      <ThemePreviewPage profile={profile} posts={posts} theme={theme} />
    </PreviewFrame>
  );
}
