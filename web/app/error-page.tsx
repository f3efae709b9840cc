/** The page for errors (row J5) and for addresses that do not exist. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { use, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router';
import { ApiError } from '../platform/api-error.ts';
import { onConnected } from '../platform/socket-events.ts';
import { Button } from '../ui/button.tsx';
import { Wordmark } from '../ui/logo.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { subscribeToNothing } from '../ui/subscribe-to-nothing.ts';
import { RenderingContext } from './rendering-context.tsx';
import * as texts from './texts.ts';

/** Only visitors see it, and their pages are rendered by the server without script. Browser bundles leave it out. */
const NotFoundContent = import.meta.env.SSR ? (await import('./not-found-content.tsx')).NotFoundContent : undefined;

function findRequestId(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null && 'requestId' in data && typeof data.requestId === 'string'
    ? data.requestId
    : undefined;
}

/**
 * Retries the failed request, also when the connection returns. A rendering error would happen again with the cached
 * data, so the document is reloaded.
 */
function Retry({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  const isRequestError = isRouteErrorResponse(error) || error instanceof ApiError;
  const { revalidate, state } = useRevalidator();
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
  // Rendering errors are not retried automatically, because a page that always fails would reload forever.
  const retryOnConnect = useEffectEvent(() => void (isRequestError && revalidate()));
  const retry = () => (isRequestError ? void revalidate() : location.reload());
  useEffect(() => {
    const stop = onConnected(retryOnConnect);
    addEventListener('online', retryOnConnect);
    return () => {
      stop();
      removeEventListener('online', retryOnConnect);
    };
  }, []);
  return (
    <ErrorState
      {...(isHydrated ? { onRetry: retry } : { retryHref: `${pathname}${search}` })}
      busy={state === 'loading'}
      requestId={findRequestId(error)}
    />
  );
}

export function ErrorMessage({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <>
        <title>{texts.missingPageDocumentTitle}</title>
        <h1 className="sr-only">{texts.missingPageHeading}</h1>
        {import.meta.env.SSR && NotFoundContent && use(RenderingContext)?.isHydrated === false ? (
          <NotFoundContent />
        ) : (
          <EmptyState line={texts.missingPageTitle} action={<Button href={PATHS.home}>{texts.goToHome}</Button>} />
        )}
      </>
    );
  }
  return (
    <>
      <title>{texts.errorDocumentTitle}</title>
      <h1 className="sr-only">{texts.error}</h1>
      <Retry error={error} />
    </>
  );
}

/** A whole page, for errors that prevent the shell from rendering. Its links are plain and load a new document. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <>
      <header className="vtop">
        <a href={PATHS.home} aria-label={texts.stagedoorHome}>
          <Wordmark />
        </a>
      </header>
      <main id="main" className="page">
        <ErrorMessage error={error} />
      </main>
    </>
  );
}
