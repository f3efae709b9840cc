import { logout } from '@stagedoor/contract/identity/accounts.ts';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { api } from './mutation.ts';
import { allowInput, blockInput } from './page-exit.ts';
import { leaveSession } from './session.ts';

/**
 * Ends the session, clears the storage and opens the front page (row A6), also if the server fails. Without a
 * connection nothing ends and the page stays.
 */
export async function logOut(client: QueryClient): Promise<void> {
  blockInput();
  try {
    await api(logout, {}, { showErrorMessage: false });
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'UNAUTHORIZED') {
      // An alert blocks until it is read. A toast would disappear together with the page.
      alert(error.message);
      if (error.code === 'NETWORK') return allowInput();
    }
  }
  leaveSession(client, true);
}
