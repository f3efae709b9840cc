import {
  type DocumentKind,
  listVerifications,
  readVerification,
  readVerificationDocument,
  type VerificationStatus,
} from '@stagedoor/contract/verification.ts';
import { oneOf } from '../../../kernel/address.ts';
import { fillPath, withBase } from '../../../kernel/api.ts';
import { apiBase, apiInfiniteQuery, apiQuery } from '../../../kernel/query.ts';

export const QUEUES = ['submitted', 'failed', 'declined', 'verified'] as const satisfies readonly VerificationStatus[];
export type Queue = (typeof QUEUES)[number];
export const QUEUE_WORDS: Readonly<Record<Queue, string>> = {
  submitted: 'Waiting',
  failed: 'Unreadable',
  declined: 'Declined',
  verified: 'Verified',
};

export const queueOf = (search: URLSearchParams): Queue => oneOf(QUEUES, search.get('status')) ?? 'submitted';
export const queueQuery = (status: Queue) => apiInfiniteQuery(listVerifications, { query: { status, limit: 30 } });
export const caseQuery = (id: string) => apiQuery(readVerification, { params: { id } });
export const pictureUrl = (id: string, kind: DocumentKind) =>
  withBase(`/api${fillPath(readVerificationDocument.path, { id, kind })}`, apiBase);
