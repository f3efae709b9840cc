import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/states.tsx';

export function SecondFactorRequired() {
  return (
    <>
      <h1 className="sr-only">Console</h1>
      <EmptyState
        line="Two-factor authentication required"
        more="Set up two-factor authentication to open the console."
        action={<Button href={PATHS.adminAccount}>Set up two-factor authentication</Button>}
      />
    </>
  );
}

export function NoRoleNotice() {
  return (
    <>
      <h1 className="sr-only">Console</h1>
      <EmptyState
        line="You don’t have access to the console."
        more="Ask an owner to give you a role."
        action={<Button href={PATHS.adminAccount}>Your account</Button>}
      />
    </>
  );
}

export function PageNotAllowed() {
  return (
    <div>
      <h1 className="sr-only">No access</h1>
      <EmptyState
        line="Your roles don’t include this page."
        more="Ask an owner for access."
        action={<Button href={PATHS.admin}>Work queue</Button>}
      />
    </div>
  );
}
