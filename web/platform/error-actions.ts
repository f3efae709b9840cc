/** What a user can do about errors that any request can return. */
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { ERRORS } from '@stagedoor/contract/shared/errors.ts';
import type { ErrorAction } from '../ui/inline-error.tsx';
import * as texts from './texts.ts';

/** An expired session always has the same message. */
export function findErrorAction(message: string): ErrorAction | undefined {
  return message === ERRORS.UNAUTHORIZED.message ? { label: texts.logInInNewTab, href: PATHS.login } : undefined;
}
