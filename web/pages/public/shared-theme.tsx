/** A shared theme (row B7) in light and dark, with its tokens and a button to apply it. */

import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { getSharedTheme, type Theme, toColourPairs, toThemeCode } from '@stagedoor/contract/content/themes.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import {
  PUBLIC_PATHS,
  sharedThemePath,
  signupWithThemePath,
  themeEditPath,
} from '@stagedoor/contract/shared/public-addresses.ts';
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
import {
  COVER_LABELS,
  FONT_LABELS,
  formatArrangement,
  formatContrastGrade,
} from '../../modules/content/themes/labels.ts';
import { Miniature, type PreviewCreator } from '../../modules/content/themes/miniature.tsx';
import { createPageMeta } from '../../platform/meta.ts';
import type { PageHandle } from '../../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../../platform/page-data.ts';
import { apiQuery } from '../../platform/query.ts';
import { useViewer } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Banner } from '../../ui/states.tsx';
import * as texts from './texts.ts';
import { applyTheme, loadPreviewCreators } from './theme-preview.ts';

type SharedThemeData = { code: string; theme: Theme; previewCreator: PreviewCreator | undefined };

export const handle: PageHandle = { hydrate: false };

const findPreset = (code: string) => THEME_PRESETS.find(({ theme }) => toThemeCode(theme) === code);
const getThemeName = (code: string) => findPreset(code)?.name ?? texts.customTheme;

const load: PageLoad<SharedThemeData> = async (page) => {
  const query = apiQuery(getSharedTheme, { params: { code: page.params.code ?? '' } });
  const { code, theme } = await page.client.ensureQueryData(query);
  const [previewCreator] = await loadPreviewCreators(page, [findPreset(code)?.category]);
  return { code, theme, previewCreator };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);
export const action = (args: ActionFunctionArgs) => applyTheme(args);
export const meta = (args: MetaArgs<typeof loader>) => {
  const pageData = args.loaderData;
  if (!pageData) return createPageMeta(args, { title: texts.missingPage });
  return createPageMeta(args, {
    title: getThemeName(pageData.code),
    description: formatText(texts.sharedThemeDescription, {
      arrangement: formatArrangement(pageData.theme),
      contrastGrade: formatContrastGrade(pageData.theme),
    }),
    path: sharedThemePath(pageData.code),
  });
};

export default function SharedTheme() {
  const { code, theme, previewCreator } = useLoaderData<typeof loader>();
  const viewer = useViewer();
  const result = useActionData<typeof action>();
  const isCreator = viewer?.type === 'creator';
  const { data: state } = useQuery({ ...ownThemeQuery(), enabled: isCreator });
  const name = getThemeName(code);
  const [own, otherMode] = toColourPairs(theme);
  const details = [
    { name: 'Layout', value: formatArrangement(theme) },
    { name: 'Font', value: FONT_LABELS[theme.type].name },
    { name: 'Cover', value: COVER_LABELS[theme.cover].replace('your', 'the') },
    { name: 'Colors', value: `${own.background}, ${own.accent}` },
    {
      name: texts.otherMode,
      value: theme.otherMode === 'same' ? 'same' : `${otherMode.background}, ${otherMode.accent}`,
    },
    { name: texts.lowestContrast, value: formatContrastGrade(theme) },
  ];
  return (
    <div className="grid gap-8 pt-7 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-14 lg:pt-12">
      <div className="grid content-start gap-6">
        <h1 className="display d2">{name}</h1>
        {result?.message && <Banner kind="error">{result.message}</Banner>}
        <DefinitionList items={details} />
        <div className="flex flex-wrap items-center gap-3">
          {state && <ApplyTheme name={name} code={code} theme={theme} state={state} />}
          {!viewer && (
            <Button variant="primary" size="lg" href={signupWithThemePath(code)}>
              {texts.useThisTheme}
            </Button>
          )}
          {(!viewer || isCreator) && <Button href={themeEditPath(code)}>{texts.changeThisTheme}</Button>}
          <Button variant="quiet" href={PUBLIC_PATHS.themes}>
            {texts.allThemes}
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-2 gap-2 lg:gap-6">
        <Miniature theme={theme} previewCreator={previewCreator} />
        <Miniature theme={theme} side="otherMode" previewCreator={previewCreator} />
      </div>
    </div>
  );
}
