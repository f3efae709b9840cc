/** A shared theme (row B7) in light and dark, with its tokens and a button to apply it. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { PUBLIC_PATHS, sharedThemePath, themeEditPath } from '@stagedoor/contract/public-addresses.ts';
import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import { codeOf, pairsOf, sharedTheme, type Theme } from '@stagedoor/contract/themes.ts';
import { useQuery } from '@tanstack/react-query';
import {
  type ActionFunctionArgs,
  type ClientLoaderFunctionArgs,
  type LoaderFunctionArgs,
  type MetaArgs,
  useActionData,
  useLoaderData,
} from 'react-router';
import { ApplyTheme, ownThemeQuery } from '../../features/themes/apply.tsx';
import { Miniature, type Sitter } from '../../features/themes/miniature.tsx';
import { COVER_WORDS, gradeOf, hungWords, TYPE_WORDS } from '../../features/themes/words.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { apiQuery } from '../../kernel/query.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/facts.tsx';
import { Banner } from '../../ui/states.tsx';
import { applyTheme, sittersOf } from './theme-parts.ts';

type Told = { code: string; theme: Theme; sitter: Sitter | undefined };

export const handle: PageHandle = { hydrate: false };

const presetBy = (code: string) => PRESETS.find(({ theme }) => codeOf(theme) === code);
const nameOf = (code: string) => presetBy(code)?.name ?? 'Custom theme';

const load: PageLoad<Told> = async (page) => {
  const asked = apiQuery(sharedTheme, { params: { code: page.params.code ?? '' } });
  const { code, theme } = await page.client.ensureQueryData(asked);
  const [sitter] = await sittersOf(page, [presetBy(code)?.craft]);
  return { code, theme, sitter };
};
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);
export const action = (args: ActionFunctionArgs) => applyTheme(args);
export const meta = (args: MetaArgs<typeof loader>) => {
  const told = args.loaderData;
  if (!told) return pageMeta(args, { title: 'Not found' });
  return pageMeta(args, {
    title: nameOf(told.code),
    description: `A theme for a creator’s page: ${hungWords(told.theme)}, ${gradeOf(told.theme)} contrast.`,
    path: sharedThemePath(told.code),
  });
};

export default function SharedTheme() {
  const { code, theme, sitter } = useLoaderData<typeof loader>();
  const viewer = useViewer();
  const refused = useActionData<typeof action>();
  const isCreator = viewer?.type === 'creator';
  const { data: state } = useQuery({ ...ownThemeQuery(), enabled: isCreator });
  const name = nameOf(code);
  const [own, twin] = pairsOf(theme);
  const facts = [
    { name: 'Layout', value: hungWords(theme) },
    { name: 'Font', value: TYPE_WORDS[theme.type].name },
    { name: 'Cover', value: COVER_WORDS[theme.cover].replace('your', 'the') },
    { name: 'Colors', value: `${own.background}, ${own.accent}` },
    { name: 'Other mode', value: theme.twin === 'same' ? 'same' : `${twin.background}, ${twin.accent}` },
    { name: 'Lowest contrast', value: gradeOf(theme) },
  ];
  return (
    <div className="grid gap-8 pt-7 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-14 lg:pt-12">
      <div className="grid content-start gap-6">
        <h1 className="display d2">{name}</h1>
        {refused?.message && <Banner kind="error">{refused.message}</Banner>}
        <FactList facts={facts} />
        <div className="flex flex-wrap items-center gap-3">
          {state && <ApplyTheme name={name} code={code} theme={theme} state={state} />}
          {isCreator && <Button href={themeEditPath(code)}>Change it</Button>}
          {!viewer && (
            <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
              Become a creator
            </Button>
          )}
          <Button variant="quiet" href={PUBLIC_PATHS.themes}>
            All themes
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-2 gap-2 lg:gap-6">
        <Miniature theme={theme} sitter={sitter} />
        <Miniature theme={theme} side="twin" sitter={sitter} />
      </div>
    </div>
  );
}
