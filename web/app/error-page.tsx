/** What stands in place of a page that could not be shown (row J5), and of one that isn't there. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { isRouteErrorResponse, useLocation } from 'react-router';
import { Button } from '../ui/button.tsx';
import { Wordmark } from '../ui/logo.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';

function requestIdOf(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error)) return undefined;
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null && 'requestId' in data && typeof data.requestId === 'string'
    ? data.requestId
    : undefined;
}

/** The words alone, for use inside a shell. */
export function ErrorWords({ error }: { error: unknown }) {
  const { pathname, search } = useLocation();
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <>
        <title>Not found · Stagedoor</title>
        <h1 className="sr-only">Not found</h1>
        <EmptyState
          line="There is nothing here."
          more="The page may have been removed, or the address is not quite right."
          action={<Button href={PATHS.home}>Go to the front page</Button>}
        />
      </>
    );
  }
  return (
    <>
      <title>Error · Stagedoor</title>
      <h1 className="sr-only">Error</h1>
      <ErrorState retryHref={`${pathname}${search}`} requestId={requestIdOf(error)} />
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
