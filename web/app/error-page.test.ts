import { ERRORS } from '@stagedoor/contract/atoms/errors.ts';
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
import { errorOf } from '../kernel/api-error.ts';
import { onServer } from '../kernel/page-data.ts';
import { createQueryClient } from '../kernel/query.ts';
import { visitContext } from '../kernel/visit.ts';
import { ErrorPage } from './error-page.tsx';
import { RequestFrame } from './request-frame.tsx';

const REFERENCE = '0123456789abcdef';

function Failed() {
  return createElement(ErrorPage, { error: useRouteError() });
}

async function pageOf(status: number, body: unknown, isAlive = true): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([
    {
      path: '/page',
      loader: (args) => onServer(args, () => Promise.reject(errorOf(status, body))),
      ErrorBoundary: Failed,
    },
  ]);
  const requestContext = new RouterContextProvider();
  const visit = {
    client: createQueryClient(),
    transport: () => Promise.reject(new Error('nothing is asked')),
    isSignedIn: false,
    hasEnded: false,
    theme: undefined,
    isOfAge: true,
    nonce: '',
    origin: 'https://stagedoor.example',
    contactMail: '',
    isDevelopment: false,
    hindersInspection: false,
    house: {},
    styles: () => undefined,
  };
  requestContext.set(visitContext, visit);
  const context = await query(new Request('https://stagedoor.example/page'), { requestContext });
  if (context instanceof Response) throw new Error(`it was answered ${context.status}`);
  expect(context.statusCode).toBe(status);
  const router = createStaticRouter(dataRoutes, context);
  const children = createElement(StaticRouterProvider, { router, context, hydrate: false });
  return renderToStaticMarkup(createElement(RequestFrame, { visit, isAlive, hasStylesInside: false, children }));
}

const faulty = { code: 'INTERNAL', message: ERRORS.INTERNAL.words, requestId: REFERENCE };

test('a server error shows its reference and a retry button', async () => {
  const page = await pageOf(500, faulty);
  expect(page).toContain('Oops, there is an error!');
  expect(page).toContain(`Reference ${REFERENCE}`);
  expect(page).toMatch(/<a [^>]*href="\/page"[^>]*>.*Try again\?/);
});

test('an error without a reference shows none', async () => {
  expect(await pageOf(503, { code: 'UNAVAILABLE', message: ERRORS.UNAVAILABLE.words })).not.toContain('Reference');
  expect(await pageOf(500, 'a proxy’s own page')).not.toContain('Reference');
});

test('a missing page is not presented as an error', async () => {
  const page = await pageOf(404, { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.words });
  expect(page).toContain('Page not found');
  expect(page).toContain('href="/"');
  const visited = await pageOf(404, { code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.words }, false);
  expect(visited).toMatch(/<form[^>]*action="\/"/);
  expect(visited).toContain('href="/works"');
  expect(page).not.toMatch(/Reference|Oops/);
});
