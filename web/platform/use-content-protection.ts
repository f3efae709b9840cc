import { useEffect } from 'react';
import { useRouteLoaderData } from 'react-router';
import { loadWhenReachable } from './lazy-part.ts';

const isProtectionEnabled = (root: unknown) =>
  typeof root === 'object' && root !== null && 'isContentProtected' in root && root.isContentProtected === true;

export function useContentProtection(isProtected: boolean): void {
  const isOn = isProtectionEnabled(useRouteLoaderData('root')) && isProtected;
  useEffect(() => {
    if (!isOn) return;
    let isUnmounted = false;
    let stop = (): void => undefined;
    loadWhenReachable(() => import('./content-protection.ts')).then(
      ({ protectContent }) => {
        if (!isUnmounted) stop = protectContent();
      },
      () => undefined,
    );
    return () => {
      isUnmounted = true;
      stop();
    };
  }, [isOn]);
}
