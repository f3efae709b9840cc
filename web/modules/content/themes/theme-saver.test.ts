import { THEME_PRESETS } from '@stagedoor/contract/content/theme-presets.ts';
import type { Theme, ThemeState } from '@stagedoor/contract/content/themes.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, createNetworkError } from '../../../platform/api-error.ts';
import { createThemeSaver } from './theme-saver.ts';

const [first] = THEME_PRESETS;
if (!first) throw new Error('There are no presets.');
const { theme: paper } = first;
const withRadius = (radius: Theme['radius']): Theme => ({ ...paper, radius });
const { layout, shape, format } = paper;
const initialState: ThemeState = { revision: 3, draft: null, published: null, arrangement: { layout, shape, format } };

type Body = { revision: number; theme: Theme };
let sent: Body[];
let refusal: Error | undefined;
let revision: number;
const save = async (body: Body): Promise<ThemeState> => {
  sent.push(body);
  if (refusal) throw refusal;
  if (body.revision !== revision) throw new ApiError('CONFLICT', 'This has already changed. Reload and try again.');
  revision += 1;
  return { ...initialState, revision, draft: body.theme };
};
const createSaver = () => createThemeSaver(save, initialState, withRadius(0));
const radii = () => sent.map(({ theme }) => theme.radius);

beforeEach(() => {
  vi.useFakeTimers();
  [sent, refusal, revision] = [[], undefined, 3];
});
afterEach(() => void vi.useRealTimers());

test('saves only the last of several changes, after a pause', async () => {
  const saver = createSaver();
  saver.setTheme(withRadius(4));
  saver.setTheme(withRadius(12));
  expect(sent).toEqual([]);
  await vi.runAllTimersAsync();
  expect(radii()).toEqual([12]);
  expect(saver.state()).toMatchObject({ savedTheme: withRadius(12), serverState: { revision: 4 }, isSaving: false });
});

test('retries a failed save with the next change and when the connection returns', async () => {
  const saver = createSaver();
  refusal = createNetworkError();
  saver.setTheme(withRadius(4));
  await vi.runAllTimersAsync();
  expect(saver.state().failure).toBe('failed');
  expect(sent).toHaveLength(1);
  refusal = undefined;
  saver.setTheme(withRadius(12));
  await vi.runAllTimersAsync();
  expect(saver.state()).toMatchObject({ savedTheme: withRadius(12), failure: undefined });

  refusal = createNetworkError();
  saver.setTheme(withRadius(24));
  await vi.runAllTimersAsync();
  refusal = undefined;
  saver.saveNow();
  await vi.runAllTimersAsync();
  expect(saver.state()).toMatchObject({ savedTheme: withRadius(24), failure: undefined });
});

test('saves without a pause when the page is left, also while another save is running', async () => {
  const hiddenPage = createSaver();
  hiddenPage.setTheme(withRadius(4));
  hiddenPage.saveNow();
  hiddenPage.setTheme(withRadius(12));
  hiddenPage.saveNow();
  expect(radii()).toEqual([4]);
  await vi.advanceTimersByTimeAsync(0);
  expect(radii()).toEqual([4, 12]);

  const closedPage = createSaver();
  [sent, revision] = [[], 3];
  closedPage.setTheme(withRadius(4));
  closedPage.saveOnLeave();
  closedPage.setTheme(withRadius(12));
  closedPage.saveOnLeave();
  closedPage.saveOnLeave();
  expect(sent).toMatchObject([{ revision: 3 }, { revision: 4 }]);
  await vi.runAllTimersAsync();
  expect(radii()).toEqual([4, 12]);
  expect(closedPage.state()).toMatchObject({
    savedTheme: withRadius(12),
    serverState: { revision: 5 },
    failure: undefined,
  });
});

test("sends nothing after a conflict with another window until the server's state is loaded", async () => {
  const saver = createSaver();
  revision = 7;
  saver.setTheme(withRadius(4));
  await vi.runAllTimersAsync();
  expect(saver.state().failure).toBe('elsewhere');
  saver.setTheme(withRadius(12));
  saver.saveNow();
  saver.saveOnLeave();
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(1);
  saver.load({ ...initialState, revision: 7 }, withRadius(24));
  saver.setTheme(withRadius(12));
  await vi.runAllTimersAsync();
  expect(saver.state()).toMatchObject({ savedTheme: withRadius(12), serverState: { revision: 8 }, failure: undefined });

  saver.markConflict();
  saver.setTheme(withRadius(0));
  await vi.runAllTimersAsync();
  expect(saver.state()).toMatchObject({ savedTheme: withRadius(12), failure: 'elsewhere' });
});

test("saves the current theme on top of the server's new state", async () => {
  const saver = createSaver();
  revision = 5;
  saver.load({ ...initialState, revision: 5 }, null);
  await vi.runAllTimersAsync();
  expect(sent).toEqual([{ revision: 5, theme: withRadius(0) }]);
});

test('sends nothing while a theme is being published, and afterwards the changes made meanwhile', async () => {
  const saver = createSaver();
  saver.setTheme(withRadius(4));
  saver.pause();
  saver.setTheme(withRadius(12));
  await vi.runAllTimersAsync();
  expect(sent).toEqual([]);
  saver.resume();
  await vi.runAllTimersAsync();
  expect(radii()).toEqual([12]);
});
