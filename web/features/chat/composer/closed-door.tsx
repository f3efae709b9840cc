/** Why what is sold waits, and the way to where that changes. */
import { PATHS } from '@stagedoor/contract/addresses.ts';
import { useClosedDoor } from '../../../kernel/door.ts';
import { Refusal } from '../../../ui/refusal.tsx';

/** `what` waits, as a heading would call it: "Paid messages". */
export function ClosedDoor({ what }: { what: string }) {
  const closed = useClosedDoor(what);
  return closed && <Refusal message={closed} href={PATHS.creatorVerification} className="w-full" />;
}
