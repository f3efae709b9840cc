import { expect, test } from 'vitest';
import { defineHook, defineKeyedHook, type HookContext } from './hooks.ts';

const createContext = (): HookContext => ({ hooks: {} });

test('a hook has one implementation in each app', () => {
  const [ctx, otherCtx] = [createContext(), createContext()];
  const hook = defineHook<() => string>('wallet.greeting');
  hook.register(ctx, () => 'one');
  hook.register(otherCtx, () => 'other');
  expect(hook.find(ctx)?.()).toBe('one');
  expect(hook.get(otherCtx)()).toBe('other');
});

test('a hook that is registered twice, or required without an implementation, is an error with its name', () => {
  const ctx = createContext();
  const hook = defineHook<number>('wallet.limit');
  expect(hook.find(ctx)).toBeUndefined();
  expect(() => hook.get(ctx)).toThrow('No module registers the hook wallet.limit.');
  hook.register(ctx, 1);
  expect(() => hook.register(ctx, 2)).toThrow('The hook wallet.limit is registered twice.');
  expect(hook.get(ctx)).toBe(1);
});

test('a keyed hook has one implementation for each key, in the order of registration', () => {
  const ctx = createContext();
  const hook = defineKeyedHook<number, 'chat' | 'post' | 'profile'>('wallet.limit');
  expect(hook.list(ctx)).toEqual([]);
  hook.register(ctx, 'profile', 3);
  hook.register(ctx, 'chat', 1);
  expect(hook.list(ctx)).toEqual([3, 1]);
  expect(hook.find(ctx, 'chat')).toBe(1);
  expect(hook.find(ctx, 'post')).toBeUndefined();
  expect(() => hook.get(ctx, 'post')).toThrow('No module registers the hook wallet.limit for post.');
  expect(() => hook.register(ctx, 'chat', 2)).toThrow('The hook wallet.limit for chat is registered twice.');
  expect(hook.list(createContext())).toEqual([]);
});
