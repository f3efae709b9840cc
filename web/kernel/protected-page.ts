/** A page that shows protected media: where the operator wants it, and only while it is open, inspecting them is hindered. */
import { useEffect } from 'react';
import { useRouteLoaderData } from 'react-router';
import { whenReachable } from './lazy-part.ts';

const isHindered = (root: unknown) =>
  typeof root === 'object' && root !== null && 'hindersInspection' in root && root.hindersInspection === true;

/** `isProtected`: something is shown that was paid for. */
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
