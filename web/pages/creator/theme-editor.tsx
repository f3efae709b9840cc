/** The theme editor of a creator, who sees their own page and publishes (row B7). */

import { listCreatorPosts } from '@stagedoor/contract/content/posts.ts';
import { getOwnProfile, type Profile } from '@stagedoor/contract/content/profiles.ts';
import {
  findThemeContrastProblems,
  getOwnTheme,
  saveThemeDraft,
  type Theme,
  toThemeCode,
} from '@stagedoor/contract/content/themes.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PUBLIC_PATHS, sharedThemePath } from '@stagedoor/contract/shared/public-addresses.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toProfileHref } from '../../modules/content/profiles/creator-card.tsx';
import { ownThemeQuery, usePublishTheme, useUndoToast } from '../../modules/content/themes/apply.tsx';
import { formatContrastGrade } from '../../modules/content/themes/labels.ts';
import {
  getInitialTheme,
  type ThemeDraft,
  type ThemeSaveState,
  useThemeDraft,
} from '../../modules/content/themes/theme-draft.ts';
import { ShowThemeButton, ThemeForm } from '../../modules/content/themes/theme-form.tsx';
import { isConflict } from '../../modules/content/themes/theme-saver.ts';
import { copyText } from '../../platform/clipboard.ts';
import { useApiMutation } from '../../platform/mutation.ts';
import { apiQuery, useApi } from '../../platform/query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Banner } from '../../ui/states.tsx';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { ThemePreview } from '../theme-preview.tsx';
import * as texts from './texts.ts';

const SAVE_STATE_LABELS = {
  untouched: texts.noChangesYet,
  saved: texts.draftSaved,
  waiting: texts.draftNotSavedYet,
  saving: texts.savingDraft,
  unreadable: texts.lowContrastNotSaved,
  failed: texts.saveDraftError,
  elsewhere: texts.changedInAnotherWindow,
} as const;

function ConflictBanner({ draft }: { draft: ThemeDraft }) {
  const client = useQueryClient();
  const [isLoading, setIsLoading] = useState(false);
  const loadOther = async () => {
    setIsLoading(true);
    try {
      const state = await client.fetchQuery({ ...ownThemeQuery(), staleTime: 0 });
      draft.load(state, getInitialTheme(state, null));
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <Banner
      inline
      kind="warn"
      action={
        <Button variant="quiet" busy={isLoading} busyText={texts.loading} onClick={() => void loadOther()}>
          {texts.reload}
        </Button>
      }
    >
      {texts.themeConflictNotice}
    </Banner>
  );
}

const FAILED_STATES: ReadonlySet<ThemeSaveState> = new Set<ThemeSaveState>(['unreadable', 'failed']);

function useSend(draft: ThemeDraft) {
  const publish = usePublishTheme(draft.markConflict);
  const showPublished = useUndoToast({ onUndone: draft.rebase, onConflict: draft.markConflict });
  const client = useQueryClient();
  const { serverState, now, saveState } = draft;
  const discard = useApiMutation(saveThemeDraft, {
    showErrorMessage: (error) => !isConflict(error),
    onError: (error) => (isConflict(error) ? draft.markConflict() : draft.resumeSaving()),
    onSuccess: (after) => {
      client.setQueryData(ownThemeQuery().queryKey, after);
      draft.load(after, getInitialTheme(after, null));
    },
  });
  const isBusy = publish.isPending || discard.isPending || draft.isSaving;
  return {
    isBusy,
    isPending: publish.isPending,
    startAgain: () => {
      if (isBusy) return;
      draft.pauseSaving();
      discard.mutate({ body: { revision: serverState.revision, theme: null } });
    },
    send: (theme: Theme | null, message: string) => {
      if (isBusy) return;
      draft.pauseSaving();
      publish.mutate(
        { body: { revision: serverState.revision, theme, isDraft: theme !== null } },
        {
          onSuccess: (after) => {
            // The page is plain now, but the edited draft stays.
            if (theme !== null || saveState === 'untouched') draft.load(after, theme ?? now);
            else draft.rebase(after);
            showPublished(message, after, serverState);
          },
          onError: (error) => !isConflict(error) && draft.resumeSaving(),
        },
      );
    },
  };
}

function ThemeActions({
  draft,
  profile,
  send,
  isPending,
}: { draft: ThemeDraft; profile: Profile } & ReturnType<typeof useSend>) {
  const { serverState, now, problems, saveState } = draft;
  const isHydrated = useIsHydrated();
  const isReadable = problems.length === 0;
  const hasConflict = saveState === 'elsewhere';
  const isPublished =
    !hasConflict && serverState.published !== null && toThemeCode(serverState.published) === toThemeCode(now);
  const share = () =>
    void copyText(new URL(sharedThemePath(toThemeCode(now)), window.location.href).href, texts.themeLinkCopied);
  return (
    <div className="themes-bar">
      {hasConflict && (
        <div className="basis-full">
          <ConflictBanner draft={draft} />
        </div>
      )}
      {isHydrated ? (
        <>
          <IconButton icon="undo" label={texts.undo} disabled={!draft.canUndo} onClick={draft.undo} />
          <IconButton
            icon="undo"
            className="[&_svg]:-scale-x-100"
            label={texts.redo}
            disabled={!draft.canRedo}
            onClick={draft.redo}
          />
        </>
      ) : (
        <ShowThemeButton />
      )}
      <span className={cx('themes-bar__why', FAILED_STATES.has(saveState) && 'themes-bar__why--grave')}>
        <span role="status">
          {hasConflict ? '' : isPublished && saveState !== 'failed' ? texts.published : SAVE_STATE_LABELS[saveState]}
        </span>
        {saveState === 'failed' && (
          <Button variant="quiet" busy={draft.isSaving} busyText={texts.trying} onClick={draft.saveNow}>
            {texts.tryAgain}
          </Button>
        )}
      </span>
      <span className="flex-1" />
      <IconButton
        icon="link"
        label={texts.share}
        text={<span className="max-md:hidden">{texts.share}</span>}
        disabled={!isReadable}
        onClick={share}
      />
      {isPublished ? (
        <Button href={toProfileHref(profile)}>{texts.seeYourPage}</Button>
      ) : !isHydrated && isReadable ? (
        // The page of a shared theme can apply it without script.
        <Button variant="primary" href={sharedThemePath(toThemeCode(now))}>
          {texts.publish}
        </Button>
      ) : (
        <Button
          variant="primary"
          disabled={!isReadable || hasConflict}
          busy={isPending}
          busyText={texts.publishing}
          onClick={() => send(now, texts.themePublished)}
        >
          {texts.publish}
        </Button>
      )}
    </div>
  );
}

const toPostsRequest = (creatorId: Profile['id']) => ({ params: { creatorId }, query: { limit: 6 } });

export async function loadCreatorEditor(client: QueryClient): Promise<void> {
  const [{ id }] = await Promise.all([
    client.ensureQueryData(apiQuery(getOwnProfile, {})),
    client.fetchQuery(ownThemeQuery()),
  ]);
  await client.ensureQueryData(apiQuery(listCreatorPosts, toPostsRequest(id)));
}

export function CreatorThemeEditor({ from }: { from: Theme | null }) {
  const profile = useApi(getOwnProfile, {});
  const { data: posts } = useApi(listCreatorPosts, toPostsRequest(profile.id));
  const state = useApi(getOwnTheme, {});
  const draft = useThemeDraft(state, from);
  const sending = useSend(draft);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-6">
        <h1 className="display d2">{texts.yourTheme}</h1>
        <div className="-mr-2.5 flex flex-wrap">
          <Button variant="quiet" href={PUBLIC_PATHS.themes}>
            {texts.gallery}
          </Button>
          {draft.serverState.draft && (
            <Button
              variant="quiet"
              disabled={sending.isBusy || draft.saveState === 'elsewhere'}
              onClick={sending.startAgain}
            >
              {texts.reset}
            </Button>
          )}
          {draft.serverState.published && (
            <Button
              variant="quiet"
              disabled={sending.isBusy || draft.saveState === 'elsewhere'}
              onClick={() => sending.send(null, texts.defaultThemeRestored)}
            >
              {texts.restoreDefaultTheme}
            </Button>
          )}
          <Button variant="quiet" icon="external" href={toProfileHref(profile)}>
            {texts.yourPage}
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-10 pb-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-14">
        <div className="order-2 lg:order-none">
          {findThemeContrastProblems(draft.shown).length === 0 && (
            <p className="cmark whitespace-normal pb-5 text-small">
              <Icon name="check" size={16} />
              {formatText(texts.contrastInLightAndDark, { grade: formatContrastGrade(draft.shown) })}
            </p>
          )}
          <ThemeForm {...draft} />
        </div>
        <ThemePreview profile={profile} posts={posts} theme={draft.shown} title={texts.howOthersSeeYourPage} />
      </div>
      <ThemeActions draft={draft} profile={profile} {...sending} />
    </>
  );
}
