/**
 * The theme editor of visitors (row B7), with a sample page. The theme is in the address, and saving leads through the
 * sign-up, which publishes it for the new creator.
 */
import { listCreatorPosts, type Post } from '@stagedoor/contract/content/posts.ts';
import type { CreatorCard, Profile } from '@stagedoor/contract/content/profiles.ts';
import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { findThemeContrastProblems, type Theme, toThemeCode } from '@stagedoor/contract/content/themes.ts';
import { loginPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PUBLIC_PATHS, signupWithThemePath, themeEditPath } from '@stagedoor/contract/shared/public-addresses.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type MouseEvent, useEffect } from 'react';
import { formatContrastGrade } from '../../modules/content/themes/labels.ts';
import { Miniature } from '../../modules/content/themes/miniature.tsx';
import { SAVE_PARAMETER, THEME_FORM_ID } from '../../modules/content/themes/theme-choice.ts';
import { ShowThemeButton, ThemeForm } from '../../modules/content/themes/theme-form.tsx';
import { type ThemeEditing, useThemeHistory } from '../../modules/content/themes/theme-history.ts';
import { isolateText } from '../../platform/bidi.ts';
import { apiQuery } from '../../platform/query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { ThemePreview } from '../theme-preview.tsx';
import { creatorsQuery, filterWithCover } from './marketing-parts.tsx';
import * as texts from './texts.ts';

export type SamplePage = { profile: Profile; posts: readonly Post[] };

/** Is made from a listed creator's public posts. Their profile is not loaded, because that would count as a view. */
function toSampleProfile(creator: CreatorCard): Profile {
  return {
    ...creator,
    ...{ bio: texts.samplePageBio, links: [], customLinks: [], theme: null },
    ...{ layout: 'classic', shape: 'box', format: 'row' },
    totalPostCount: creator.postCount,
    totalMediaCount: creator.postCount,
    totalFollowersCount: creator.followerCount,
  };
}

/** Null while no creator can be shown. */
export async function loadSamplePage(client: QueryClient): Promise<SamplePage | null> {
  const [creator] = filterWithCover(await client.ensureQueryData(creatorsQuery()));
  if (!creator) return null;
  const request = { params: { creatorId: creator.id }, query: { limit: 6 } };
  const { data: posts } = await client.ensureQueryData(apiQuery(listCreatorPosts, request));
  return { profile: toSampleProfile(creator), posts };
}

/** Browsers limit how often the address may change. */
const ADDRESS_PAUSE_MS = 500;

function replaceAddress(theme: Theme): void {
  history.replaceState(history.state, '', themeEditPath(toThemeCode(theme)));
}

/** Writes the theme to the address, so that a reload and the way back from the sign-up show it again. */
function useThemeInAddress(theme: Theme, isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const timer = setTimeout(() => replaceAddress(theme), ADDRESS_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [theme, isChanged]);
}

/** Links, so that the presets work without script. */
function Presets({ now, change }: Pick<ThemeEditing, 'now' | 'change'>) {
  const choose = (event: MouseEvent, theme: Theme) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    change(theme);
  };
  return (
    <div className="pb-7">
      <h2 className="field__label">{texts.startFromATheme}</h2>
      <Chips label={texts.themes} wrap>
        {THEME_PRESETS.map(({ key, name, theme }) => (
          <a
            key={key}
            className="chip"
            href={themeEditPath(toThemeCode(theme))}
            aria-current={toThemeCode(theme) === toThemeCode(now) ? 'true' : undefined}
            onClick={(event) => choose(event, theme)}
          >
            {name}
          </a>
        ))}
      </Chips>
    </div>
  );
}

function TrialActions({ editing }: { editing: ThemeEditing }) {
  const { now, problems, canUndo, canRedo, undo, redo } = editing;
  const isHydrated = useIsHydrated();
  const isReadable = problems.length === 0;
  return (
    <div className="themes-bar">
      {isHydrated ? (
        <>
          <IconButton icon="undo" label={texts.undo} disabled={!canUndo} onClick={undo} />
          <IconButton
            icon="undo"
            className="[&_svg]:-scale-x-100"
            label={texts.redo}
            disabled={!canRedo}
            onClick={redo}
          />
        </>
      ) : (
        <ShowThemeButton />
      )}
      <span className={isReadable ? 'themes-bar__why' : 'themes-bar__why themes-bar__why--grave'}>
        <span role="status">{isReadable ? texts.saveThemeHint : texts.lowContrastCannotSave}</span>
      </span>
      <span className="flex-1" />
      {!isHydrated ? (
        <Button variant="primary" type="submit" form={THEME_FORM_ID} name={SAVE_PARAMETER} value="1">
          {texts.saveTheme}
        </Button>
      ) : isReadable ? (
        <Button variant="primary" href={signupWithThemePath(toThemeCode(now))} onClick={() => replaceAddress(now)}>
          {texts.saveTheme}
        </Button>
      ) : (
        <Button variant="primary" disabled>
          {texts.saveTheme}
        </Button>
      )}
    </div>
  );
}

export function ThemeTrial({ from, sample }: { from: Theme | null; sample: SamplePage | null }) {
  const [paper] = THEME_PRESETS;
  if (!paper) throw new Error('There are no presets.');
  const { reset: _, ...editing } = useThemeHistory(from ?? paper.theme);
  const { now, shown, problems } = editing;
  // A theme of the form without script may be unreadable.
  const isShownReadable = findThemeContrastProblems(shown).length === 0;
  useThemeInAddress(shown, editing.canUndo || editing.canRedo);
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4 pt-7 pb-6">
        <div>
          <h1 className="display d2">{texts.tryATheme}</h1>
          <p className="max-w-[56ch] pt-3 text-muted">{texts.tryAThemeLead}</p>
        </div>
        <div className="-mx-2.5 flex flex-wrap">
          <Button variant="quiet" href={PUBLIC_PATHS.themes}>
            {texts.allThemes}
          </Button>
          <Button
            variant="quiet"
            href={loginPath(isShownReadable ? themeEditPath(toThemeCode(shown)) : PUBLIC_PATHS.themeEdit)}
          >
            {texts.haveAnAccount}
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-10 pb-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-14">
        <div className="order-2 lg:order-none">
          <Presets now={now} change={editing.change} />
          {isShownReadable && (
            <p className="cmark whitespace-normal pb-5 text-small">
              <Icon name="check" size={16} />
              {formatText(texts.contrastInLightAndDark, { grade: formatContrastGrade(shown) })}
            </p>
          )}
          <ThemeForm now={now} problems={problems} change={editing.change} />
          {sample && (
            <p className="pt-7 text-small text-muted">
              {formatText(texts.samplePageNote, { name: isolateText(sample.profile.name) })}
            </p>
          )}
        </div>
        {sample ? (
          <ThemePreview {...sample} theme={shown} title={texts.samplePage} />
        ) : (
          <section aria-label={texts.samplePage} className="grid grid-cols-2 content-start gap-2 lg:gap-6">
            <Miniature theme={shown} previewCreator={undefined} />
            <Miniature theme={shown} side="otherMode" previewCreator={undefined} />
          </section>
        )}
      </div>
      <TrialActions editing={editing} />
    </>
  );
}
