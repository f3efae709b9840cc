/**
 * The theme editor (row B7). Creators edit the theme of their own page. Visitors try one on a sample page, and it
 * is published for the account that they create.
 */
import { getSharedTheme, type Theme, toThemeCode } from '@stagedoor/contract/content/themes.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { PUBLIC_PATHS } from '@stagedoor/contract/shared/public-addresses.ts';
import {
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  redirect,
  useLoaderData,
} from 'react-router';
import { findThemeChoicePath, readThemeChoice } from '../modules/content/themes/theme-choice.ts';
import { createPageMeta } from '../platform/meta.ts';
import type { PageHandle } from '../platform/page.ts';
import { loadInBrowser, loadOnServer, type PageLoad } from '../platform/page-data.ts';
import { apiQuery } from '../platform/query.ts';
import { getHomePath, useViewer } from '../platform/session.ts';
import { CreatorThemeEditor, loadCreatorEditor } from './creator/theme-editor.tsx';
import { loadSamplePage, type SamplePage, ThemeTrial } from './public/theme-trial.tsx';
import * as texts from './texts.ts';

export const handle: PageHandle = { width: 'wide', nav: PATHS.creatorProfile };
export const meta = (args: MetaArgs) =>
  createPageMeta(args, {
    title: texts.themeEditor,
    description: texts.themeEditorDescription,
    path: PUBLIC_PATHS.themeEdit,
  });

type ThemeEditData = { from: Theme | null; sample: SamplePage | null };

const load: PageLoad<ThemeEditData> = async ({ client, url, viewer }) => {
  const user = await viewer();
  if (user && user.type !== 'creator') throw redirect(getHomePath(user.type));
  const choice = readThemeChoice(url.searchParams);
  const choicePath = choice && findThemeChoicePath(choice, url.searchParams);
  if (choicePath !== undefined) throw redirect(choicePath);
  const code = url.searchParams.get('from');
  const shared = code === null ? null : await client.ensureQueryData(apiQuery(getSharedTheme, { params: { code } }));
  if (user) await loadCreatorEditor(client);
  return { from: choice ?? shared?.theme ?? null, sample: user ? null : await loadSamplePage(client) };
};
export const loader = (args: LoaderFunctionArgs) => loadOnServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => loadInBrowser(args, load);

export default function ThemeEdit() {
  const { from, sample } = useLoaderData<typeof loader>();
  const viewer = useViewer();
  return viewer ? (
    <CreatorThemeEditor from={from} />
  ) : (
    <ThemeTrial key={from ? toThemeCode(from) : ''} from={from} sample={sample} />
  );
}
