/** What a creator sells waits for their door to open (verified, agreement signed); whoever asks for money says so before it is written. */
import { closedWords, verificationStatus } from '@stagedoor/contract/verification.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './query.ts';

/** Why the door of the creator who looks is closed, of what waits for it ("Paid posts"); nothing while it is open or not known. */
export function useClosedDoor(what: string): string | undefined {
  const { data } = useQuery(apiQuery(verificationStatus, {}));
  return data && closedWords(what, data);
}
