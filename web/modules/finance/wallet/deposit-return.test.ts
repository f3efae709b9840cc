import type { Deposit } from '@stagedoor/contract/commerce/deposits.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { createQueryClient } from '../../../platform/query.ts';
import { DepositReturn } from './deposit-return.tsx';
import { depositQuery } from './use-deposit-watch.ts';

const ReturnPage = () => createElement(DepositReturn, { id: 'd', storedNext: undefined });
const Stub = createRoutesStub([{ path: '/', Component: ReturnPage }]);

function renderReturn(returnPath: string | null): string {
  const deposit: Deposit = JSON.parse(
    JSON.stringify({
      id: 'd',
      status: 'success',
      amount: 40,
      fee: 0.82,
      paid: 40.82,
      debtPaid: 0,
      card: null,
      returnPath,
    }),
  );
  const client = createQueryClient(() => Promise.reject(new Error('nothing is requested')));
  client.setQueryData(depositQuery('d').queryKey, deposit);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Stub)));
}

test('a paid deposit leads to the page it was made for, even if the tab stored nothing', () => {
  expect(renderReturn('/profile/ana?tip=resume')).toContain('href="/profile/ana?tip=resume"');
  expect(renderReturn(null)).not.toContain('Continue');
});
