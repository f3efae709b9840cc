/** What every page of the desk asks for by the same rule. */
import type { PageLoad, PageRequest } from '../../kernel/page-data.ts';

/** A page's data, asked for only for who has a second factor: the frame tells the others what is missing. Answers when it was asked. */
export function deskLoad(ask: (page: PageRequest) => Promise<unknown>): PageLoad<{ now: string }> {
  return async (page) => {
    if ((await page.viewer())?.isTwoFactorEnabled) await ask(page);
    return { now: new Date().toISOString() };
  };
}
