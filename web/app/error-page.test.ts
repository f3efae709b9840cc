import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
  useRouteError,
} from 'react-router';
import { expect, test } from 'vitest';
import { toApiError } from '../platform/api-error.ts';
import { loadOnServer } from '../platform/page-data.ts';
import { createQueryClient } from '../platform/query.ts';
import { requestContextKey } from '../platform/request-context.ts';
import { ErrorPage } from './error-page.tsx';
import { RenderingProvider } from './rendering-context.tsx';

const REFERENCE = '0123456789abcdef';

function FailedPage() {
  return createElement(ErrorPage, { error: useRouteError() });
}

async function renderErrorPage(status: number, body: unknown, isHydrated = true): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([
    {
      path: '/page',
      loader: (args) => loadOnServer(args, () => Promise.reject(toApiError(status, body))),
      ErrorBoundary: FailedPage,
    },
  ]);
  const routerContext = new RouterContextProvider();
  const pageContext = {
    client: createQueryClient(),
    transport: () => Promise.reject(new Error('nothing is asked')),
    isSignedIn: false,
    readAt: 0,
    hasEnded: false,
    theme: undefined,
    timeZone: 'UTC',
    isOfAge: true,
    nonce: '',
    origin: 'https://stagedoor.example',
    contactMail: '',
    isDevelopment: false,
    isContentProtected: false,
    siteStatus: {},
    styles: () => undefined,
  };
  routerContext.set(requestContextKey, pageContext);
  const context = await query(new Request('https://stagedoor.example/page'), { requestContext: routerContext });
  if (context instanceof Response) throw new Error(`it was answered ${context.status}`);
  expect(context.statusCode).toBe(status);
  const router = createStaticRouter(dataRoutes, context);
  const children = createElement(StaticRouterProvider, { router, context, hydrate: false });
  return renderToStaticMarkup(
    createElement(RenderingProvider, { requestContext: pageContext, isHydrated, hasInlineStyles: false, children }),
  );
}

const errorBody = { code: 'INTERNAL', message: ERRORS.INTERNAL.message, requestId: REFERENCE };

test('a server error shows its reference and a retry button', async () => {
  const page = await renderErrorPage(500, errorBody);
  expect(page).toContain('Oops, there is an error!');
  expect(page).toContain(`Reference ${REFERENCE}`);
  expect(page).toMatch(/<a [^>]*href="\/page"[^>]*>.*Try again\?/);
});

test('an error without a reference shows none', async () => {
  expect(await renderErrorPage(503, { code: 'UNAVAILABLE', message: ERRORS.UNAVAILABLE.message })).not.toContain(
    'Reference',
  );
  expect(await renderErrorPage(500, 'a proxy’s own page')).not.toContain('Reference');
});

test('a missing page is not presented as an error', async () => {
  const page = await renderErrorPage(404, { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.message });
  expect(page).toContain('Page not found');
  expect(page).toContain('href="/"');
  const visitorPage = await renderErrorPage(404, { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.message }, false);
  expect(visitorPage).toMatch(/<form[^>]*action="\/"/);
  expect(visitorPage).toContain('href="/works"');
  expect(page).not.toMatch(/Reference|Oops/);
});
