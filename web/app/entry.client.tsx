import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { onQueryError } from '../platform/browser.ts';
import { showFailure } from '../platform/feedback.ts';
import { loadRenderedFrame } from './visitor-parts.ts';

onQueryError((error) => showFailure(error, { showErrorMessage: false }));

// Without its code the frame loads when it is rendered, which shows an error if that fails again.
await loadRenderedFrame().catch(() => undefined);
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
