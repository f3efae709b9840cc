import { PATHS } from '@stagedoor/contract/addresses.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';

export function NeedsSecondFactor() {
  return (
    <>
      <h1 className="sr-only">Desk</h1>
      <EmptyState
        line="Operators log in with a second factor."
        more="What lies on the desk is seen by nobody who has only a password."
        action={<Button href={PATHS.adminAccount}>Set up two-factor log-in</Button>}
      />
    </>
  );
}

export function NoRole() {
  return (
    <>
      <h1 className="sr-only">Desk</h1>
      <EmptyState
        line="You have no role at the desk."
        more="An owner gives roles, and takes them back."
        action={<Button href={PATHS.adminAccount}>Your account</Button>}
      />
    </>
  );
}

export function NotInRole() {
  return (
    <div>
      <h1 className="sr-only">Not yours</h1>
      <EmptyState
        line="Your roles do not include this page."
        more="An owner of the house can change that."
        action={<Button href={PATHS.admin}>What waits</Button>}
      />
    </div>
  );
}
