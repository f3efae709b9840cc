import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ErrorActionProvider, InlineError } from '../ui/inline-error.tsx';
import { findErrorAction } from './error-actions.ts';

const renderError = (message: string, href?: string) =>
  renderToStaticMarkup(
    createElement(
      ErrorActionProvider,
      { value: findErrorAction },
      createElement(InlineError, { message, ...(href && { href }) }),
    ),
  );

test('an expired session leaves a link to log in in a new tab', () => {
  const expired = renderError(ERRORS.UNAUTHORIZED.message);
  expect(expired).toMatch(/<a href="\/login" target="_blank"[^>]*>Log in<\/a>/);
  expect(renderError('Declined.')).not.toContain('<a');
  expect(renderError('Declined.', '/fan/wallet')).toMatch(/<a href="\/fan\/wallet" class[^>]*>Learn more<\/a>/);
});
