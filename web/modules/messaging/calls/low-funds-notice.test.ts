import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatCallEnd } from './call-labels.ts';
import type { DisplayedClock } from './clock.ts';
import { LowFundsNotice } from './low-funds-notice.tsx';
import type { CallStageState } from './state.ts';

const stage: Extract<CallStageState, { at: 'talking' }> = JSON.parse(
  '{"at":"talking","warnSeconds":120,"call":{"isOutgoing":true,"session":{"amountPerMinute":3},"other":{"username":"ana"}}}',
);
const renderNotice = (boundCents: number) => {
  const displayedClock: DisplayedClock = {
    ...{ seconds: 60, cents: 300, tipCents: 0, leftSeconds: 100, leftCents: 500 },
    bound: { kind: 'month', cents: boundCents },
  };
  return renderToStaticMarkup(createElement(LowFundsNotice, { stage, displayedClock }));
};

test('the warning of a call offers a deposit when the balance ends it, and names the limit when a limit does', () => {
  const byBalance = renderNotice(501);
  expect(byBalance).toContain('<b>Under 2 minutes left</b>');
  expect(byBalance).toContain('/fan/wallet?add=1');
  const byLimit = renderNotice(500);
  expect(byLimit).toContain('<b>Under 2 minutes left of your spending limit</b>');
  expect(byLimit).toContain('Your monthly spending limit leaves $5.00.');
  expect(byLimit).not.toContain('/fan/wallet');
  expect(byLimit).toContain('href="/fan/profile#limits" target="_blank"');
});

test('the end of a call names the limit', () => {
  expect(formatCallEnd('limit', 'Ana', true).title).toBe('Your spending limit ended the call.');
  expect(formatCallEnd('funds', 'Ana', true).title).toBe('The balance ran out.');
});
