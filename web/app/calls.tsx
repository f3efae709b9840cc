import { Suspense } from 'react';
import { lazyPart } from '../platform/lazy-part.ts';
import { LinkProvider } from '../ui/link.tsx';
import { AppLink } from './app-link.tsx';

const CallsOverlay = lazyPart(async () => (await import('../pages/calls/calls-overlay.tsx')).CallsOverlay);

export function Calls() {
  return (
    <LinkProvider component={AppLink}>
      <Suspense fallback={null}>
        <CallsOverlay />
      </Suspense>
    </LinkProvider>
  );
}
