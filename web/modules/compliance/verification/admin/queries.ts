import {
  type DocumentKind,
  getAdminVerification,
  getVerificationDocument,
  listVerifications,
  type VerificationStatus,
} from '@stagedoor/contract/compliance/verification.ts';
import { parseOption } from '../../../../platform/address.ts';
import { fillPath, toAbsoluteUrl } from '../../../../platform/api.ts';
import { apiBase, apiInfiniteQuery, apiQuery } from '../../../../platform/query.ts';
import * as texts from './texts.ts';

export const VERIFICATION_QUEUES = [
  'submitted',
  'failed',
  'declined',
  'verified',
] as const satisfies readonly VerificationStatus[];
export type VerificationQueue = (typeof VERIFICATION_QUEUES)[number];
export const QUEUE_LABELS: Readonly<Record<VerificationQueue, string>> = {
  submitted: texts.waiting,
  failed: texts.unreadable,
  declined: texts.declined,
  verified: texts.verifiedQueue,
};

export const parseQueue = (search: URLSearchParams): VerificationQueue =>
  parseOption(VERIFICATION_QUEUES, search.get('status')) ?? 'submitted';
export const verificationQueueQuery = (status: VerificationQueue) =>
  apiInfiniteQuery(listVerifications, { query: { status, limit: 30 } });
export const adminVerificationQuery = (id: string) => apiQuery(getAdminVerification, { params: { id } });
export const toPictureUrl = (id: string, kind: DocumentKind) =>
  toAbsoluteUrl(`/api${fillPath(getVerificationDocument.path, { id, kind })}`, apiBase);
