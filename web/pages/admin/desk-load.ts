import { redirect } from 'react-router';
import { mayOpen } from '../../features/desk/entries.ts';
import { isProofAsked, provePath, rolesOf } from '../../kernel/operator.ts';
import type { PageLoad, PageRequest } from '../../kernel/page-data.ts';

/**
 * Loads data only for operators with two-factor authentication and the required role, and redirects to step-up
 * authentication if required. Returns the time of the request.
 */
export function deskLoad(ask: (page: PageRequest) => Promise<unknown>): PageLoad<{ now: string }> {
  return async (page) => {
    const { client, url, viewer } = page;
    try {
      if ((await viewer())?.isTwoFactorEnabled && mayOpen(url.pathname, await rolesOf(client))) await ask(page);
    } catch (error) {
      throw isProofAsked(error) ? redirect(provePath(url.pathname + url.search)) : error;
    }
    return { now: new Date().toISOString() };
  };
}
