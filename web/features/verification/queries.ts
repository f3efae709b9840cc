import { readAgreement, type Verification, verificationStatus } from '@stagedoor/contract/verification.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../kernel/query.ts';

export const verificationQuery = () => apiQuery(verificationStatus, {});
export const agreementQuery = () => apiQuery(readAgreement, {});

export function keepVerification(client: QueryClient, verification: Verification): void {
  client.setQueryData(verificationQuery().queryKey, verification);
}

export function useKeepVerification(): (verification: Verification) => void {
  const client = useQueryClient();
  return (verification) => keepVerification(client, verification);
}
