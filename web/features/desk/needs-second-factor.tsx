/** What an operator is told whose password is all that logs them in. */
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
