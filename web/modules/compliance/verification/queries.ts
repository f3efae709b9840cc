import {
  getCreatorAgreement,
  getVerification,
  type Verification,
} from '@stagedoor/contract/compliance/verification.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../../platform/query.ts';

export const verificationQuery = () => apiQuery(getVerification, {});
export const agreementQuery = () => apiQuery(getCreatorAgreement, {});

export function setCachedVerification(client: QueryClient, verification: Verification): void {
  client.setQueryData(verificationQuery().queryKey, verification);
}

export function useSetVerification(): (verification: Verification) => void {
  const client = useQueryClient();
  return (verification) => setCachedVerification(client, verification);
}
