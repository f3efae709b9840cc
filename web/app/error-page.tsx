/** What stands in place of a page that could not be shown (row J5), and of one that isn't there. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { use, useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router';
import { ApiError } from '../kernel/api-error.ts';
import { onConnected } from '../kernel/live.ts';
import { Button } from '../ui/button.tsx';
import { Wordmark } from '../ui/logo.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { RequestContext } from './request-frame.tsx';

/** For visitors alone, whose pages are the server's and come without script: in a browser it is no part of anything. */
const NothingHere = import.meta.env.SSR ? (await import('./nothing-here.tsx')).NothingHere : undefined;

function requestIdOf(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null && 'requestId' in data && typeof data.requestId === 'string'
    ? data.requestId
    : undefined;
}

const never = () => () => undefined;

/**
 * What could not be asked for is asked for again, in the page's place; also by itself when the connection is back. What broke while it
 * was shown would break again of the data that are kept, so the document is loaded anew. Where there is no script its address is loaded.
 */
function Retry({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  const isUnanswered = isRouteErrorResponse(error) || error instanceof ApiError;
  const { revalidate, state } = useRevalidator();
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  // Not by itself: a page that breaks whenever it is shown would load itself for ever.
  const again = useEffectEvent(() => void (isUnanswered && revalidate()));
  const retry = () => (isUnanswered ? void revalidate() : location.reload());
  useEffect(() => {
    const stop = onConnected(again);
    addEventListener('online', again);
    return () => {
      stop();
      removeEventListener('online', again);
    };
  }, []);
  return (
    <ErrorState
      {...(isAlive ? { onRetry: retry } : { retryHref: `${pathname}${search}` })}
      busy={state === 'loading'}
      requestId={requestIdOf(error)}
    />
  );
}

/** The words alone, for use inside a shell. */
export function ErrorWords({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <>
        <title>Not found · Stagedoor</title>
        <h1 className="sr-only">Not found</h1>
        {import.meta.env.SSR && NothingHere && use(RequestContext)?.isAlive === false ? (
          <NothingHere />
        ) : (
          <EmptyState line="There is nothing here." action={<Button href={PATHS.home}>Go to the front page</Button>} />
        )}
      </>
    );
  }
  return (
    <>
      <title>Error · Stagedoor</title>
      <h1 className="sr-only">Error</h1>
      <Retry error={error} />
    </>
  );
}

/** A whole page, for when no shell could be made. Links are plain: they load the document anew. */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <>
      <header className="vtop">
        <a href={PATHS.home} aria-label="Stagedoor, home">
          <Wordmark />
        </a>
      </header>
      <main id="main" className="page">
        <ErrorWords error={error} />
      </main>
    </>
  );
}
