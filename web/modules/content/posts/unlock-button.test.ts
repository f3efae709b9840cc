import { getSpendingLimits } from '@stagedoor/contract/commerce/spending-limits.ts';
import type { Post } from '@stagedoor/contract/content/posts.ts';
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { apiQuery, createQueryClient } from '../../../platform/query.ts';
import { viewerQuery } from '../../../platform/session.ts';
import { UnlockButton } from './unlock-button.tsx';

const post: Post = JSON.parse('{"id":"p","price":20,"isUnlocked":false,"filesRevision":1}');
const Button = () => createElement(UnlockButton, { post });
const Stub = createRoutesStub([{ id: 'root', path: '/', Component: Button, loader: () => null }]);

/** Renders a post of $20.00 for a fan with $10.00, whose daily limit leaves an amount. */
function renderButton(left: number): string {
  const viewer: Viewer = JSON.parse('{"id":"f","type":"customer","deposit":10,"depositRevision":1}');
  const client = createQueryClient(() => Promise.reject(new Error('nothing is asked')));
  client.setQueryData(viewerQuery().queryKey, viewer);
  client.setQueryData(apiQuery(getSpendingLimits, {}).queryKey, {
    limits: [{ period: 'day', limit: 50, max: 500, spent: 50 - left, increase: null }],
    breakUntil: null,
  });
  const hydrationData = { loaderData: { root: { isSignedIn: true } } };
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Stub, { hydrationData })));
}

test('a locked post offers a deposit only if the spending limit would allow the purchase', () => {
  const offer = 'href="/fan/wallet?add=1';
  expect(renderButton(20)).toContain(offer);
  const limited = renderButton(19.99);
  expect(limited).not.toContain(offer);
  expect(limited).toContain('Your daily spending limit leaves $19.99.');
  expect(limited).toContain('href="/fan/profile#limits"');
});
