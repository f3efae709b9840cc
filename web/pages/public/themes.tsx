/** The theme gallery (row B7) with previews and contrast grades. Creators can apply a theme with one tap. */

import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { toThemeCode } from '@stagedoor/contract/content/themes.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PUBLIC_PATHS, sharedThemePath, themeEditPath } from '@stagedoor/contract/shared/public-addresses.ts';
import { useQuery } from '@tanstack/react-query';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useActionData,
  useLoaderData,
} from 'react-router';
import { ApplyTheme, ownThemeQuery } from '../../modules/content/themes/apply.tsx';
import { formatArrangement, formatContrastGrade } from '../../modules/content/themes/labels.ts';
import { Miniature, type PreviewCreator } from '../../modules/content/themes/miniature.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Banner } from '../../ui/states.tsx';
import * as texts from './texts.ts';
import { applyTheme, loadPreviewCreators } from './theme-preview.ts';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.themes,
    description: texts.themesDescription,
  });

const load: PageLoad<{ previewCreators: PreviewCreator[] }> = async (page) => ({
  previewCreators: await loadPreviewCreators(
    page,
    THEME_PRESETS.map(({ category }) => category),
  ),
});
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);
export const action = (args: ActionFunctionArgs) => applyTheme(args);

function Grid({ previewCreators }: { previewCreators: readonly PreviewCreator[] }) {
  const viewer = useViewer();
  const isCreator = viewer?.type === 'creator';
  const { data: state } = useQuery({ ...ownThemeQuery(), enabled: isCreator });
  return (
    <ul className="thgrid">
      {THEME_PRESETS.map(({ key, name, theme }, index) => {
        const code = toThemeCode(theme);
        const isActive = state?.published && toThemeCode(state.published) === code;
        return (
          <li key={key}>
            <UiLink href={sharedThemePath(code)} className="block">
              <Miniature theme={theme} previewCreator={previewCreators[index % Math.max(previewCreators.length, 1)]} />
              <Label
                title={name}
                detail={formatArrangement(theme)}
                price={
                  <span className="cmark">
                    <Icon name="check" size={16} />
                    {formatContrastGrade(theme)}
                  </span>
                }
              />
            </UiLink>
            {!viewer && (
              <div className="thgrid__acts">
                <Button
                  variant="quiet"
                  href={themeEditPath(code)}
                  aria-label={formatText(texts.tryTheme, { themeName: name })}
                >
                  {texts.tryButton}
                </Button>
              </div>
            )}
            {state && (
              <div className="thgrid__acts">
                {isActive ? (
                  <span className="inline-flex min-h-11 items-center font-semibold">{texts.currentTheme}</span>
                ) : (
                  <ApplyTheme name={name} code={code} theme={theme} state={state} />
                )}
                <Button
                  variant="quiet"
                  href={themeEditPath(code)}
                  aria-label={formatText(texts.changeTheme, { themeName: name })}
                >
                  {texts.changeButton}
                </Button>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export default function Themes() {
  const { previewCreators } = useLoaderData<typeof loader>();
  const viewer = useViewer();
  const result = useActionData<typeof action>();
  return (
    <>
      <div className="grid gap-4 pt-7 pb-7 lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)] lg:items-end lg:gap-6 lg:pt-12 lg:pb-10">
        <h1 className="display d1 max-w-[14ch]">{texts.themesTitle}</h1>
        <p className="max-w-[40ch] text-lead text-muted">{texts.themesLead}</p>
      </div>
      {result?.message && (
        <div className="pb-6">
          <Banner kind="error">{result.message}</Banner>
        </div>
      )}
      <section aria-label={texts.themes}>
        <Grid previewCreators={previewCreators} />
      </section>
      <section className="grid justify-items-start gap-4 pt-14 lg:pt-24">
        <h2 className="display d2">{texts.makeItYours}</h2>
        <p className="max-w-[56ch] text-muted">{texts.makeItYoursDetail}</p>
        {(!viewer || viewer.type === 'creator') && (
          <Button variant="primary" size="lg" href={PUBLIC_PATHS.themeEdit}>
            {texts.openTheEditor}
          </Button>
        )}
      </section>
    </>
  );
}
