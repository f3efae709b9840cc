/** What every page of the desk asks for by the same rule. */
import { redirect } from 'react-router';
import { mayOpen } from '../../features/desk/entries.ts';
import { isProofAsked, provePath, rolesOf } from '../../kernel/operator.ts';
import type { PageLoad, PageRequest } from '../../kernel/page-data.ts';

/**
 * A page's data, asked for only for who has a second factor and the role: the frame tells the others what is missing. Who has to prove
 * first that it is them is led there. Answers when it was asked.
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
