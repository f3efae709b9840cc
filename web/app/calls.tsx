import { Suspense } from 'react';
import { lazyPart } from '../kernel/lazy-part.ts';
import { LinkProvider } from '../ui/link.tsx';
import { AppLink } from './app-link.tsx';

const OverPage = lazyPart(async () => (await import('../pages/calls/calls-over-page.tsx')).CallsOverPage);

export function Calls() {
  return (
    <LinkProvider component={AppLink}>
      <Suspense fallback={null}>
        <OverPage />
      </Suspense>
    </LinkProvider>
  );
}
