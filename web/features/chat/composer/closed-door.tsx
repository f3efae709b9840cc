import { PATHS } from '@stagedoor/contract/addresses.ts';
import { useClosedDoor } from '../../../kernel/door.ts';
import { Refusal } from '../../../ui/refusal.tsx';

/** @param what The feature in the plural, such as "Paid messages". */
export function ClosedDoor({ what }: { what: string }) {
  const closed = useClosedDoor(what);
  return closed && <Refusal message={closed} href={PATHS.creatorVerification} className="w-full" />;
}
