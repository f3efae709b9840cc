/** The theme editor with a live preview (row B7). */

import { PATHS } from '@stagedoor/contract/addresses.ts';
import { listCreatorPosts } from '@stagedoor/contract/posts.ts';
import { getOwnProfile, type Profile } from '@stagedoor/contract/profiles.ts';
import { PUBLIC_PATHS, sharedThemePath } from '@stagedoor/contract/public-addresses.ts';
import { isDark } from '@stagedoor/contract/theme-colours.ts';
import { codeOf, getOwnTheme, lookOf, saveThemeDraft, sharedTheme, type Theme } from '@stagedoor/contract/themes.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ClientLoaderFunctionArgs, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router';
import { PostWall } from '../../features/posts/post-wall.tsx';
import { profileHref } from '../../features/profiles/creator-card.tsx';
import { ownThemeQuery, usePublish, useTold } from '../../features/themes/apply.tsx';
import { beginning, type Keeping, type ThemeDraft, useThemeDraft } from '../../features/themes/theme-draft.ts';
import { ThemeForm } from '../../features/themes/theme-form.tsx';
import { isConflict } from '../../features/themes/theme-keeper.ts';
import { gradeOf } from '../../features/themes/words.ts';
import { copyText } from '../../kernel/clipboard.ts';
import { pageMeta } from '../../kernel/meta.ts';
import { useApiMutation } from '../../kernel/mutation.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { Banner, EmptyState } from '../../ui/states.tsx';
import { ProfileView } from '../profile-view.tsx';

export const handle: PageHandle = { width: 'wide', nav: PATHS.creatorProfile };
export const meta = (args: MetaArgs) => pageMeta(args, { title: 'Your theme' });

const hungOf = (creatorId: Profile['id']) => ({ params: { creatorId }, query: { limit: 6 } });

type Told = { from: Theme | null };

const load: PageLoad<Told> = async ({ client, url }) => {
  const [{ id }] = await Promise.all([
    client.ensureQueryData(apiQuery(getOwnProfile, {})),
    client.fetchQuery(ownThemeQuery()),
  ]);
  await client.ensureQueryData(apiQuery(listCreatorPosts, hungOf(id)));
  const code = url.searchParams.get('from');
  const shared = code === null ? null : await client.ensureQueryData(apiQuery(sharedTheme, { params: { code } }));
  return { from: shared?.theme ?? null };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);

const SCREENS = {
  phone: { label: 'Phone', width: 390, height: 780 },
  desktop: { label: 'Desktop', width: 1352, height: 1300 },
} as const;
const LIGHTS = { light: 'Light', dark: 'Dark' } as const;

function Preview({ profile, theme }: { profile: Profile; theme: Theme }) {
  const { data: posts } = useApi(listCreatorPosts, hungOf(profile.id));
  const [screen, setScreen] = useState<keyof typeof SCREENS>('phone');
  const [light, setLight] = useState<keyof typeof LIGHTS>(isDark(theme.background) ? 'dark' : 'light');
  const { width, height } = SCREENS[screen];
  const { layout, shape, format } = theme;
  const shown = { ...profile, layout, shape, format, theme: lookOf(theme) };
  return (
    <section aria-label="Preview" className="themes-preview">
      <div className="themes-preview__sides">
        <Segmented
          name="screen"
          label="Preview device"
          value={screen}
          options={Object.entries(SCREENS).map(([value, { label }]) => ({ value, label }))}
          onValueChange={(value) => setScreen(value === 'desktop' ? 'desktop' : 'phone')}
        />
        <Segmented
          name="light"
          label="Preview mode"
          value={light}
          options={Object.entries(LIGHTS).map(([value, label]) => ({ value, label }))}
          onValueChange={(value) => setLight(value === 'dark' ? 'dark' : 'light')}
        />
      </div>
      <div className="themes-preview__page" style={{ maxWidth: width + 2 }}>
        <PreviewFrame key={screen} title="How others see your page" width={width} height={height} theme={light}>
          <ProfileView
            profile={shown}
            tab="posts"
            actions={
              <>
                <Button className="follow">Follow</Button>
                <span className="flex-1" />
                <IconButton icon="share" label="Share" />
              </>
            }
          >
            {posts.length === 0 ? (
              <EmptyState line="No posts yet" />
            ) : (
              <div className="pt-5 pb-9">
                <PostWall posts={posts} look={shown} />
              </div>
            )}
          </ProfileView>
        </PreviewFrame>
      </div>
    </section>
  );
}

const KEEPING = {
  untouched: 'No changes yet',
  kept: 'Draft saved',
  waiting: 'Draft not saved yet',
  keeping: 'Saving draft…',
  unreadable: 'Not saved: a color doesn’t have enough contrast',
  failed: 'Couldn’t save your draft. We’ll retry with your next change.',
  elsewhere: 'Changed in another window',
} as const;

function Elsewhere({ draft }: { draft: ThemeDraft }) {
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const takeTheirs = async () => {
    setIsAsking(true);
    try {
      const state = await client.fetchQuery({ ...ownThemeQuery(), staleTime: 0 });
      draft.take(state, beginning(state, null));
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <Banner
      inline
      kind="warn"
      action={
        <Button variant="quiet" busy={isAsking} busyText="Loading…" onClick={() => void takeTheirs()}>
          Reload
        </Button>
      }
    >
      Your theme was changed in another window. Reload to continue.
    </Banner>
  );
}

const GRAVE: ReadonlySet<Keeping> = new Set<Keeping>(['unreadable', 'failed']);

function useSend(draft: ThemeDraft) {
  const publish = usePublish(draft.lose);
  const told = useTold({ onUndone: draft.goOn, onConflict: draft.lose });
  const client = useQueryClient();
  const { known, now, keeping } = draft;
  const discard = useApiMutation(saveThemeDraft, {
    showErrorMessage: (error) => !isConflict(error),
    onError: (error) => (isConflict(error) ? draft.lose() : draft.letGo()),
    onSuccess: (after) => {
      client.setQueryData(ownThemeQuery().queryKey, after);
      draft.take(after, beginning(after, null));
    },
  });
  const isBusy = publish.isPending || discard.isPending || draft.isSaving;
  return {
    isBusy,
    isPending: publish.isPending,
    startAgain: () => {
      if (isBusy) return;
      draft.hold();
      discard.mutate({ body: { revision: known.revision, theme: null } });
    },
    send: (theme: Theme | null, words: string) => {
      if (isBusy) return;
      draft.hold();
      publish.mutate(
        { body: { revision: known.revision, theme, isDraft: theme !== null } },
        {
          onSuccess: (after) => {
            // The page is plain now, but the edited draft stays.
            if (theme !== null || keeping === 'untouched') draft.take(after, theme ?? now);
            else draft.goOn(after);
            told(words, after, known);
          },
          onError: (error) => !isConflict(error) && draft.letGo(),
        },
      );
    },
  };
}

function Acts({
  draft,
  profile,
  send,
  isPending,
}: { draft: ThemeDraft; profile: Profile } & ReturnType<typeof useSend>) {
  const { known, now, refused, keeping } = draft;
  const isReadable = refused.length === 0;
  const isElsewhere = keeping === 'elsewhere';
  const isOut = !isElsewhere && known.published !== null && codeOf(known.published) === codeOf(now);
  const share = () =>
    void copyText(new URL(sharedThemePath(codeOf(now)), window.location.href).href, 'Theme link copied.');
  return (
    <div className="themes-bar">
      {isElsewhere && (
        <div className="basis-full">
          <Elsewhere draft={draft} />
        </div>
      )}
      <IconButton icon="undo" label="Undo" disabled={!draft.canUndo} onClick={draft.undo} />
      <IconButton
        icon="undo"
        className="[&_svg]:-scale-x-100"
        label="Redo"
        disabled={!draft.canRedo}
        onClick={draft.redo}
      />
      <span className={cx('themes-bar__why', GRAVE.has(keeping) && 'themes-bar__why--grave')}>
        <span role="status">{isElsewhere ? '' : isOut && keeping !== 'failed' ? 'Published' : KEEPING[keeping]}</span>
        {keeping === 'failed' && (
          <Button variant="quiet" busy={draft.isSaving} busyText="Trying…" onClick={draft.keepNow}>
            Try again
          </Button>
        )}
      </span>
      <span className="flex-1" />
      <IconButton
        icon="link"
        label="Share"
        text={<span className="max-md:hidden">Share</span>}
        disabled={!isReadable}
        onClick={share}
      />
      {isOut ? (
        <Button href={profileHref(profile)}>See your page</Button>
      ) : (
        <Button
          variant="primary"
          disabled={!isReadable || isElsewhere}
          busy={isPending}
          busyText="Publishing…"
          onClick={() => send(now, 'Theme published.')}
        >
          Publish
        </Button>
      )}
    </div>
  );
}

export default function ThemeEdit() {
  const { from } = useLoaderData<typeof loader>();
  const profile = useApi(getOwnProfile, {});
  const state = useApi(getOwnTheme, {});
  const draft = useThemeDraft(state, from);
  const sending = useSend(draft);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-6">
        <h1 className="display d2">Your theme</h1>
        <div className="-mr-2.5 flex flex-wrap">
          <Button variant="quiet" href={PUBLIC_PATHS.themes}>
            Gallery
          </Button>
          {draft.known.draft && (
            <Button
              variant="quiet"
              disabled={sending.isBusy || draft.keeping === 'elsewhere'}
              onClick={sending.startAgain}
            >
              Reset
            </Button>
          )}
          {draft.known.published && (
            <Button
              variant="quiet"
              disabled={sending.isBusy || draft.keeping === 'elsewhere'}
              onClick={() => sending.send(null, 'Default theme restored.')}
            >
              Use default theme
            </Button>
          )}
          <Button variant="quiet" icon="external" href={profileHref(profile)}>
            Your page
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-10 pb-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-14">
        <div className="order-2 lg:order-none">
          <p className="cmark whitespace-normal pb-5 text-small">
            <Icon name="check" size={16} />
            {gradeOf(draft.shown)} contrast in light and dark
          </p>
          <ThemeForm {...draft} />
        </div>
        <Preview profile={profile} theme={draft.shown} />
      </div>
      <Acts draft={draft} profile={profile} {...sending} />
    </>
  );
}
