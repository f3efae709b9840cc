import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { useSellingObstacle } from '../../../../platform/seller-gate.ts';
import { InlineError } from '../../../../ui/inline-error.tsx';

/** @param feature The feature in the plural, such as "Paid messages". */
export function SellingBlockedNotice({ feature }: { feature: string }) {
  const message = useSellingObstacle(feature);
  return message && <InlineError message={message} href={PATHS.creatorVerification} className="w-full" />;
}
