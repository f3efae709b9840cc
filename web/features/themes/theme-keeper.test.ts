import { PRESETS } from '@stagedoor/contract/theme-presets.ts';
import type { Theme, ThemeState } from '@stagedoor/contract/themes.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, networkError } from '../../kernel/api-error.ts';
import { createKeeper } from './theme-keeper.ts';

const [first] = PRESETS;
if (!first) throw new Error('There are no presets.');
const { theme: paper } = first;
const look = (radius: Theme['radius']): Theme => ({ ...paper, radius });
const { layout, shape, format } = paper;
const fresh: ThemeState = { revision: 3, draft: null, published: null, arrangement: { layout, shape, format } };

type Body = { revision: number; theme: Theme };
let sent: Body[];
let refusal: Error | undefined;
let revision: number;
const save = async (body: Body): Promise<ThemeState> => {
  sent.push(body);
  if (refusal) throw refusal;
  if (body.revision !== revision) throw new ApiError('CONFLICT', 'This has already changed. Reload and try again.');
  revision += 1;
  return { ...fresh, revision, draft: body.theme };
};
const begin = () => createKeeper(save, fresh, look(0));
const radii = () => sent.map(({ theme }) => theme.radius);

beforeEach(() => {
  vi.useFakeTimers();
  [sent, refusal, revision] = [[], undefined, 3];
});
afterEach(() => void vi.useRealTimers());

test('saves only the last of several changes, after a pause', async () => {
  const keeper = begin();
  keeper.want(look(4));
  keeper.want(look(12));
  expect(sent).toEqual([]);
  await vi.runAllTimersAsync();
  expect(radii()).toEqual([12]);
  expect(keeper.state()).toMatchObject({ kept: look(12), known: { revision: 4 }, isSaving: false });
});

test('retries a failed save with the next change and when the connection returns', async () => {
  const keeper = begin();
  refusal = networkError();
  keeper.want(look(4));
  await vi.runAllTimersAsync();
  expect(keeper.state().failure).toBe('failed');
  expect(sent).toHaveLength(1);
  refusal = undefined;
  keeper.want(look(12));
  await vi.runAllTimersAsync();
  expect(keeper.state()).toMatchObject({ kept: look(12), failure: undefined });

  refusal = networkError();
  keeper.want(look(24));
  await vi.runAllTimersAsync();
  refusal = undefined;
  keeper.hasten();
  await vi.runAllTimersAsync();
  expect(keeper.state()).toMatchObject({ kept: look(24), failure: undefined });
});

test('saves without a pause when the page is left, also while another save is running', async () => {
  const left = begin();
  left.want(look(4));
  left.hasten();
  left.want(look(12));
  left.hasten();
  expect(radii()).toEqual([4]);
  await vi.advanceTimersByTimeAsync(0);
  expect(radii()).toEqual([4, 12]);

  const gone = begin();
  [sent, revision] = [[], 3];
  gone.want(look(4));
  gone.leave();
  gone.want(look(12));
  gone.leave();
  gone.leave();
  expect(sent).toMatchObject([{ revision: 3 }, { revision: 4 }]);
  await vi.runAllTimersAsync();
  expect(radii()).toEqual([4, 12]);
  expect(gone.state()).toMatchObject({ kept: look(12), known: { revision: 5 }, failure: undefined });
});

test("sends nothing after a conflict with another window until the server's state is loaded", async () => {
  const keeper = begin();
  revision = 7;
  keeper.want(look(4));
  await vi.runAllTimersAsync();
  expect(keeper.state().failure).toBe('elsewhere');
  keeper.want(look(12));
  keeper.hasten();
  keeper.leave();
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(1);
  keeper.take({ ...fresh, revision: 7 }, look(24));
  keeper.want(look(12));
  await vi.runAllTimersAsync();
  expect(keeper.state()).toMatchObject({ kept: look(12), known: { revision: 8 }, failure: undefined });

  keeper.lose();
  keeper.want(look(0));
  await vi.runAllTimersAsync();
  expect(keeper.state()).toMatchObject({ kept: look(12), failure: 'elsewhere' });
});

test("saves the current theme on top of the server's new state", async () => {
  const keeper = begin();
  revision = 5;
  keeper.take({ ...fresh, revision: 5 }, null);
  await vi.runAllTimersAsync();
  expect(sent).toEqual([{ revision: 5, theme: look(0) }]);
});

test('sends nothing while a theme is being published, and afterwards the changes made meanwhile', async () => {
  const keeper = begin();
  keeper.want(look(4));
  keeper.hold();
  keeper.want(look(12));
  await vi.runAllTimersAsync();
  expect(sent).toEqual([]);
  keeper.letGo();
  await vi.runAllTimersAsync();
  expect(radii()).toEqual([12]);
});
