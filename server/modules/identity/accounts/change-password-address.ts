/** The well-known address for changing passwords (W3C): password managers open it. */
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import { loginPath, PATHS, passwordPath } from '@stagedoor/contract/shared/addresses.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';

const PATH = '/.well-known/change-password';

const SETTINGS: Readonly<Record<UserType, string>> = {
  customer: PATHS.fanProfile,
  creator: PATHS.creatorSettings,
  operator: PATHS.adminAccount,
};

export function serveChangePasswordAddress({ app }: Pick<ModuleHost, 'app'>): void {
  app.get(PATH, async ({ actor }, reply) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(actor ? passwordPath(SETTINGS[actor.type]) : loginPath(PATH), 302),
  );
}
