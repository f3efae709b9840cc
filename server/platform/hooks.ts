/**
 * A hook lets modules add code to a module that they depend on and that does not know them. The owner defines it and
 * exports `register` under the name of the hook, here of `wallet.tipGuard`:
 *
 *     const tipGuards = defineKeyedHook<TipGuard>('wallet.tipGuard');
 *     export const registerTipGuard = tipGuards.register;
 *
 * Manifests name hooks: the owner's under `provides`, those of modules that call `register…` under `implements`.
 */
/** Implementations belong to the `Context` of an app. The type is not named, because the context's own services use hooks. */
export type HookContext = object;

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
  const implementationsByContext = new WeakMap<HookContext, Map<K, T>>();
  const formatName = (key: K) => (key === '' ? name : `${name} for ${key}`);
  const find = (ctx: HookContext, key: K) => implementationsByContext.get(ctx)?.get(key);
  return {
    register: (ctx, key, implementation) => {
      const implementations = implementationsByContext.get(ctx) ?? new Map<K, T>();
      if (implementations.has(key)) throw new Error(`The hook ${formatName(key)} is registered twice.`);
      implementationsByContext.set(ctx, implementations.set(key, implementation));
    },
    find,
    get: (ctx, key) => {
      const implementation = find(ctx, key);
      if (implementation === undefined) throw new Error(`No module registers the hook ${formatName(key)}.`);
      return implementation;
    },
    list: (ctx) => [...(implementationsByContext.get(ctx)?.values() ?? [])],
  };
}
