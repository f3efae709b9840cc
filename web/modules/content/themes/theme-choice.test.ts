import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import { type Theme, toThemeCode } from '@stagedoor/contract/content/themes.ts';
import { expect, test } from 'vitest';
import { findThemeChoicePath, readThemeChoice } from './theme-choice.ts';

const [preset] = THEME_PRESETS;
if (!preset) throw new Error('There are no presets.');
const { theme } = preset;

/** What a browser without script sends when the form shows this theme. */
function toParams(shown: Theme, changes: Record<string, string> = {}): URLSearchParams {
  const { background, accent, otherMode, ...rest } = shown;
  const colours = { background, accent, ...(typeof otherMode === 'object' && toPrefixed(otherMode)) };
  const params = new URLSearchParams({
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    otherMode: typeof otherMode === 'object' ? 'own' : otherMode,
    ...Object.fromEntries(
      Object.entries(colours).flatMap(([name, colour]) =>
        ['', '-picked', '-typed', '-earlier'].map((suffix) => [name + suffix, colour]),
      ),
    ),
  });
  for (const [name, value] of Object.entries(changes)) params.set(name, value);
  return params;
}

const toPrefixed = ({ background, accent }: { background: string; accent: string }) => ({
  'otherMode-background': background,
  'otherMode-accent': accent,
});

test('the form without script returns the theme that it shows', () => {
  const own: Theme = { ...theme, otherMode: { background: '#150a2b', accent: '#c58bff' } };
  for (const shown of [...THEME_PRESETS.map((each) => each.theme), own])
    expect(readThemeChoice(toParams(shown))).toEqual(shown);
  expect(readThemeChoice(new URLSearchParams({ from: toThemeCode(theme) }))).toBeUndefined();
});

test('a colour is chosen, picked or typed, and every other field counts', () => {
  for (const name of ['accent', 'accent-picked', 'accent-typed'])
    expect(readThemeChoice(toParams(theme, { [name]: '#2340a8' }))?.accent, name).toBe('#2340a8');
  expect(readThemeChoice(toParams(theme, { 'accent-typed': 'zzz' }))?.accent).toBe(theme.accent);
  const changes = { type: 'poster', radius: '24', layout: 'hero', shape: 'round', format: 'col', cover: 'wash' };
  expect(readThemeChoice(toParams(theme, changes))).toEqual({ ...theme, ...changes, radius: 24 });
  expect(readThemeChoice(toParams(theme, { otherMode: 'own' }))?.otherMode).toMatchObject({
    background: expect.stringMatching(/^#/),
  });
  for (const wrong of [{ type: 'comic' }, { radius: '5' }, { accent: 'red', 'accent-earlier': '' }])
    expect(readThemeChoice(toParams(theme, { 'accent-picked': '', 'accent-typed': '', ...wrong }))).toBeUndefined();
});

test('the sent form leads to the theme or to the sign-up with it, and stays where it is unreadable', () => {
  const path = (params: URLSearchParams) => findThemeChoicePath(readThemeChoice(params) ?? theme, params);
  const code = toThemeCode({ ...theme, accent: '#2340a8' });
  expect(path(toParams(theme, { accent: '#2340a8' }))).toBe(`/theme-edit?from=${code}`);
  expect(path(toParams(theme, { accent: '#2340a8', save: '1' }))).toBe(`/signup?as=creator&theme=${code}`);
  expect(path(toParams(theme, { accent: theme.background, save: '1' }))).toBeUndefined();
});
