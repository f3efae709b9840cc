/** The theme gallery (row B7) with previews and contrast grades. Creators can apply a theme with one tap. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { PUBLIC_PATHS, sharedThemePath, themeEditPath } from '@stagedoor/contract/public-addresses.ts';
import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import { codeOf } from '@stagedoor/contract/themes.ts';
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
import { gradeOf, hungWords } from '../../features/themes/words.ts';
import { pageMeta } from '../../kernel/meta.ts';
import type { PageHandle } from '../../kernel/page.ts';
import { inBrowser, onServer, type PageLoad } from '../../kernel/page-data.ts';
import { useViewer } from '../../kernel/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Label } from '../../ui/label.tsx';
import { UiLink } from '../../ui/link.tsx';
import { Banner } from '../../ui/states.tsx';
import { applyTheme, sittersOf } from './theme-parts.ts';

export const handle: PageHandle = { hydrate: false };
export const meta = (args: MetaArgs) =>
  pageMeta(args, {
    title: 'Themes',
    description: 'Eight themes for your page, each tested for contrast in light and dark mode.',
  });

const load: PageLoad<{ sitters: Sitter[] }> = async (page) => ({
  sitters: await sittersOf(
    page,
    PRESETS.map(({ craft }) => craft),
  ),
});
export const loader = (args: LoaderFunctionArgs) => onServer(args, load);
export const clientLoader = (args: ClientLoaderFunctionArgs) => inBrowser(args, load);
export const action = (args: ActionFunctionArgs) => applyTheme(args);

function Grid({ sitters }: { sitters: readonly Sitter[] }) {
  const isCreator = useViewer()?.type === 'creator';
  const { data: state } = useQuery({ ...ownThemeQuery(), enabled: isCreator });
  return (
    <ul className="thgrid">
      {PRESETS.map(({ key, name, theme }, index) => {
        const code = codeOf(theme);
        const isOn = state?.published && codeOf(state.published) === code;
        return (
          <li key={key}>
            <UiLink href={sharedThemePath(code)} className="block">
              <Miniature theme={theme} sitter={sitters[index % Math.max(sitters.length, 1)]} />
              <Label
                who={name}
                what={hungWords(theme)}
                price={
                  <span className="cmark">
                    <Icon name="check" size={16} />
                    {gradeOf(theme)}
                  </span>
                }
              />
            </UiLink>
            {state && (
              <div className="thgrid__acts">
                {isOn ? (
                  <span className="inline-flex min-h-11 items-center font-semibold">Current theme</span>
                ) : (
                  <ApplyTheme name={name} code={code} theme={theme} state={state} />
                )}
                <Button variant="quiet" href={themeEditPath(code)} aria-label={`Change ${name}`}>
                  Change
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
  const { sitters } = useLoaderData<typeof loader>();
  const viewer = useViewer();
  const refused = useActionData<typeof action>();
  return (
    <>
      <div className="grid gap-4 pt-7 pb-7 lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)] lg:items-end lg:gap-6 lg:pt-12 lg:pb-10">
        <h1 className="display d1 max-w-[14ch]">Eight themes. One is yours.</h1>
        <p className="max-w-[40ch] text-lead text-muted">
          Pick a theme and customize it. Every theme is tested for contrast in light and dark mode.
        </p>
      </div>
      {refused?.message && (
        <div className="pb-6">
          <Banner kind="error">{refused.message}</Banner>
        </div>
      )}
      <section aria-label="Themes">
        <Grid sitters={sitters} />
      </section>
      <section className="grid justify-items-start gap-4 pt-14 lg:pt-24">
        <h2 className="display d2">Make it yours</h2>
        <p className="max-w-[56ch] text-muted">
          Change colors, fonts, corners and layout. Prices and payment screens always look like Stagedoor, so fans know
          who they’re paying.
        </p>
        {viewer?.type === 'creator' ? (
          <Button variant="primary" size="lg" href={PUBLIC_PATHS.themeEdit}>
            Open the editor
          </Button>
        ) : (
          !viewer && (
            <Button variant="primary" size="lg" href={PATHS.signupAsCreator}>
              Become a creator
            </Button>
          )
        )}
      </section>
    </>
  );
}
