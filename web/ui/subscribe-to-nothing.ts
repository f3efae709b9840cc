/** For `useSyncExternalStore` with a value that differs only between server and browser. */
export const subscribeToNothing = () => () => undefined;
