import { describe, expect, test, vi } from 'vitest';
import {
  deletePendingTip,
  findPendingTip,
  findResumedTip,
  isTipResumed,
  removeResumeParams,
  resumeTipHref,
  savePendingTip,
  type TipTarget,
} from './pending-tip.ts';
import { toReturnPath } from './use-deposit.ts';

describe('a tip that is not sent yet', () => {
  const target: TipTarget = { type: 'post', creatorId: 'c', creatorName: 'Ana', postId: 'p', returnTo: '/post/p?a=1' };
  const others = [{ creatorId: 'd' }, { postId: 'q' }, { type: 'profile' as const }];
  const draft = { selected: 20, customAmount: '7.77', note: 'For the encore' };
  const search = new URL(resumeTipHref(target, 7.77), 'http://x').searchParams;

  test('is stored for its own target until it is sent, also after it was opened again', () => {
    vi.stubGlobal('window', {});
    savePendingTip(target, draft);
    expect(isTipResumed(search)).toBe(true);
    for (const other of others) {
      expect(findPendingTip({ ...target, ...other })).toBeUndefined();
      expect(findResumedTip(search, { ...target, ...other })).toBeUndefined();
      deletePendingTip({ ...target, ...other });
    }
    expect([findResumedTip(search, target), findPendingTip(target)]).toEqual([draft, draft]);
    deletePendingTip(target);
    expect(findPendingTip(target)).toBeUndefined();
    expect([...removeResumeParams(search)]).toEqual([['a', '1']]);
  });

  test('continues with its amount where the browser stored nothing', () => {
    expect(findResumedTip(search, target)).toEqual({ selected: 7.77, customAmount: '7.77', note: '' });
    const findWithAmount = (amount: string) => {
      const changed = new URLSearchParams(search);
      changed.set('tipAmount', amount);
      return findResumedTip(changed, target);
    };
    expect(['<b>', '-5', '1e3', ''].map(findWithAmount)).toEqual(Array(4).fill(undefined));
  });
});

test('a deposit carries only a path of this site', () => {
  vi.stubGlobal('location', { origin: 'https://stagedoor.example' });
  expect(toReturnPath('/post/p?tip=resume')).toEqual({ returnPath: '/post/p?tip=resume' });
  expect(toReturnPath('https://stagedoor.example/fan/chat')).toEqual({ returnPath: '/fan/chat' });
  for (const next of [undefined, '', '//evil.example', 'https://evil.example/', `/${'a'.repeat(2_000)}`])
    expect(toReturnPath(next)).toEqual({});
});
