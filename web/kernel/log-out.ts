/** Logging out, by the few pages that can. */
import { logout } from '@stagedoor/contract/accounts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { api } from './mutation.ts';
import { allowInput, stopInput } from './page-exit.ts';
import { leave } from './session.ts';

/**
 * Ends the session here and in storage, and goes to the front page (row A6). A failure is said until it is read, and the rest is done
 * all the same; but without a connection nothing is ended, and the page stays.
 */
export async function logOut(client: QueryClient): Promise<void> {
  stopInput();
  try {
    await api(logout, {}, { showErrorMessage: false });
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'UNAUTHORIZED') {
      // The page is left at once: what is said in it would be gone with it.
      alert(error.message);
      if (error.code === 'NETWORK') return allowInput();
    }
  }
  leave(client, true);
}
