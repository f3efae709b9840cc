import { findSellingObstacle, getVerification } from '@stagedoor/contract/compliance/verification.ts';
import { getPlatformTerms } from '@stagedoor/contract/finance/pricing.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './query.ts';

/**
 * Returns why the creator cannot sell `label` ("Paid posts") yet. Undefined if selling is enabled or the status is
 * unknown.
 */
export function useSellingObstacle(label: string): string | undefined {
  const { data } = useQuery(apiQuery(getVerification, {}));
  return data && findSellingObstacle(label, data);
}

/** The same for free posts, which need verification unless the operator allows them without. */
export function usePublishingObstacle(label: string): string | undefined {
  const obstacle = useSellingObstacle(label);
  const { data } = useQuery(apiQuery(getPlatformTerms, {}));
  return data?.isVerificationRequiredToPost ? obstacle : undefined;
}
