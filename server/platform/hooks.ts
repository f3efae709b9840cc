/**
 * A hook lets a module run code of modules that depend on it. The owner defines the hook and exports its register
 * function, here for `wallet.tipGuard`:
 *
 *     const tipGuards = defineKeyedHook<TipGuard>('wallet.tipGuard');
 *     export const registerTipGuard = tipGuards.register;
 *
 * Manifests name hooks: the owner's under `provides`, those of modules that call `register…` under `implements`.
 */
/** The part of the context that hooks need. */
export type HookContext = { readonly hooks: object };

/** A hook with at most one implementation. */
export type Hook<T> = {
  /** Throws when the hook has an implementation already. */
  readonly register: (ctx: HookContext, implementation: T) => void;
  readonly find: (ctx: HookContext) => T | undefined;
  /** Throws when the hook has no implementation. */
  readonly get: (ctx: HookContext) => T;
};

/** A hook with any number of implementations, each under its own key. */
export type KeyedHook<T, K extends string = string> = {
  /** Throws when the key has an implementation already. */
  readonly register: (ctx: HookContext, key: K, implementation: T) => void;
  readonly find: (ctx: HookContext, key: K) => T | undefined;
  /** Throws when the key has no implementation. */
  readonly get: (ctx: HookContext, key: K) => T;
  /** In the order of registration, in which modules come after their dependencies. */
  readonly list: (ctx: HookContext) => T[];
};

export function defineHook<T>(name: string): Hook<T> {
  const { register, find, get } = defineKeyedHook<T, ''>(name);
  return {
    register: (ctx, implementation) => register(ctx, '', implementation),
    find: (ctx) => find(ctx, ''),
    get: (ctx) => get(ctx, ''),
  };
}

export function defineKeyedHook<T, K extends string = string>(name: string): KeyedHook<T, K> {
  const implementationsByApp = new WeakMap<object, Map<K, T>>();
  const formatName = (key: K) => (key === '' ? name : `${name} for ${key}`);
  const find = (ctx: HookContext, key: K) => implementationsByApp.get(ctx.hooks)?.get(key);
  return {
    register: (ctx, key, implementation) => {
      const implementations = implementationsByApp.get(ctx.hooks) ?? new Map<K, T>();
      if (implementations.has(key)) throw new Error(`The hook ${formatName(key)} is registered twice.`);
      implementationsByApp.set(ctx.hooks, implementations.set(key, implementation));
    },
    find,
    get: (ctx, key) => {
      const implementation = find(ctx, key);
      if (implementation === undefined) throw new Error(`No module registers the hook ${formatName(key)}.`);
      return implementation;
    },
    list: (ctx) => [...(implementationsByApp.get(ctx.hooks)?.values() ?? [])],
  };
}
