/** A page in a theme that is being edited, as on a phone or a desktop, in light or dark (row B7). */
import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { Profile } from '@stagedoor/contract/content/profiles.ts';
import { isDark } from '@stagedoor/contract/content/theme-colours.ts';
import type { Theme } from '@stagedoor/contract/content/themes.ts';
import { Suspense, useState } from 'react';
import { lazyPart } from '../platform/lazy-part.ts';
import { Segmented } from '../ui/choice.tsx';
import * as texts from './texts.ts';

/** Loaded on its own because it shows only once the page is hydrated, and is the largest part of the script. */
const ThemePreviewFrame = lazyPart(async () => (await import('./theme-preview-frame.tsx')).ThemePreviewFrame);
const ThemePreviewPage = lazyPart(async () => (await import('./theme-preview-frame.tsx')).ThemePreviewPage);

const SCREENS = {
  phone: { label: texts.phone, width: 390, height: 780 },
  desktop: { label: texts.desktop, width: 1352, height: 1300 },
} as const;
/** The same page as in the frame, as on a screen like the visitor's. What needs script is hidden. */
const WITHOUT_SCRIPT_STYLE = '.themes-preview__sides, .themes-preview iframe, .script-only { display: none }';
const MODE_LABELS = { light: texts.light, dark: texts.dark } as const;

export interface ThemePreviewProps {
  profile: Profile;
  posts: readonly Post[];
  theme: Theme;
  title: string;
}

export function ThemePreview({ profile, posts, theme, title }: ThemePreviewProps) {
  const [screen, setScreen] = useState<keyof typeof SCREENS>('phone');
  const [chosenMode, setChosenMode] = useState<keyof typeof MODE_LABELS>();
  const mode = chosenMode ?? (isDark(theme.background) ? 'dark' : 'light');
  const { width, height } = SCREENS[screen];
  return (
    <section aria-label={texts.preview} className="themes-preview">
      <div className="themes-preview__sides">
        <Segmented
          name="screen"
          label={texts.previewDevice}
          value={screen}
          options={Object.entries(SCREENS).map(([value, { label }]) => ({ value, label }))}
          onValueChange={(value) => setScreen(value === 'desktop' ? 'desktop' : 'phone')}
        />
        <Segmented
          name="light"
          label={texts.previewMode}
          value={mode}
          options={Object.entries(MODE_LABELS).map(([value, label]) => ({ value, label }))}
          onValueChange={(value) => setChosenMode(value === 'dark' ? 'dark' : 'light')}
        />
      </div>
      <div className="themes-preview__page" style={{ maxWidth: width + 2 }}>
        <noscript>
          {import.meta.env.SSR && (
            <Suspense>
              <style>{WITHOUT_SCRIPT_STYLE}</style>
              <div className="themes-preview__still" aria-hidden="true" inert>
                <div>
                  <ThemePreviewPage profile={profile} posts={posts} theme={theme} side="own" />
                </div>
              </div>
            </Suspense>
          )}
        </noscript>
        <Suspense>
          <ThemePreviewFrame
            key={screen}
            title={title}
            width={width}
            height={height}
            mode={mode}
            profile={profile}
            posts={posts}
            theme={theme}
          />
        </Suspense>
      </div>
    </section>
  );
}
