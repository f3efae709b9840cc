/** Opens a channel to the other tabs. Undefined where the browser has none or forbids it together with storage. */
export function tryOpenChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
