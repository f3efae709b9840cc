import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { onQueryError } from '../platform/browser.ts';
import { showFailure } from '../platform/feedback.ts';

onQueryError((error) => showFailure(error, { showErrorMessage: false }));

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
