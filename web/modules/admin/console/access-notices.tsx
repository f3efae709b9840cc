import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

export function SecondFactorRequired() {
  return (
    <>
      <h1 className="sr-only">{texts.consoleTitle}</h1>
      <EmptyState
        line={texts.twoFactorRequired}
        more={texts.twoFactorConsoleHint}
        action={<Button href={PATHS.adminAccount}>{texts.setUpTwoFactor}</Button>}
      />
    </>
  );
}

export function NoRoleNotice() {
  return (
    <>
      <h1 className="sr-only">{texts.consoleTitle}</h1>
      <EmptyState
        line={texts.noConsoleAccess}
        more={texts.getRoleHint}
        action={<Button href={PATHS.adminAccount}>{texts.yourAccount}</Button>}
      />
    </>
  );
}

export function PageNotAllowed() {
  return (
    <div>
      <h1 className="sr-only">{texts.noAccess}</h1>
      <EmptyState
        line={texts.rolesExcludePage}
        more={texts.getAccessHint}
        action={<Button href={PATHS.admin}>{texts.workQueue}</Button>}
      />
    </div>
  );
}
