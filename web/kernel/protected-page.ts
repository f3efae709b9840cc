import { useEffect } from 'react';
import { useRouteLoaderData } from 'react-router';
import { whenReachable } from './lazy-part.ts';

const isHindered = (root: unknown) =>
  typeof root === 'object' && root !== null && 'hindersInspection' in root && root.hindersInspection === true;

export function useProtectedMedia(isProtected: boolean): void {
  const isOn = isHindered(useRouteLoaderData('root')) && isProtected;
  useEffect(() => {
    if (!isOn) return;
    let isGone = false;
    let end = (): void => undefined;
    whenReachable(() => import('./hindering.ts')).then(
      ({ hinderInspection }) => {
        if (!isGone) end = hinderInspection();
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      end();
    };
  }, [isOn]);
}
