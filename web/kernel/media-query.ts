/** Whether a media query holds, followed while it is shown. For what only script can say; how things look is the style sheets'. */
import { useCallback, useSyncExternalStore } from 'react';

/** False until the page is alive: a server knows no window. */
export function useMedia(query: string): boolean {
  const follow = useCallback(
    (told: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', told);
      return () => list.removeEventListener('change', told);
    },
    [query],
  );
  return useSyncExternalStore(
    follow,
    () => matchMedia(query).matches,
    () => false,
  );
}
