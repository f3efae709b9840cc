/** Sensitive fields are encrypted and decrypted only here. */
import {
  DOCUMENT_KINDS,
  DOCUMENT_STATES,
  type DocumentKind,
  type DocumentState,
  VERIFICATION_STATUSES,
  type VerificationDetails,
  type VerificationStatus,
  verificationDetails,
} from '@stagedoor/contract/compliance/verification.ts';
import type { Updateable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, Tables } from '../../../platform/database/db.ts';
import { decryptText, encryptContent } from '../../../platform/security/encryption.ts';
import * as texts from './texts.ts';

type Config = Context['config'];

export type VerificationDocument = {
  kind: DocumentKind;
  state: DocumentState;
  reason: string | null;
  /** Null once its picture was deleted. */
  fileKey: string | null;
  uploadedAt: Date;
};
export type VerificationRecord = {
  creatorId: string;
  status: VerificationStatus;
  details: VerificationDetails | undefined;
  documents: ReadonlyMap<DocumentKind, VerificationDocument>;
  agreementVersion: string | null;
  signedAt: Date | null;
  submittedAt: Date | null;
  answerBy: Date | null;
  decidedAt: Date | null;
};

export const getEncryptionKey = (config: Config): Buffer => config.deriveKey('verification');

const encryptField = (config: Config, field: 'details' | 'signature', creatorId: string, value: unknown) =>
  encryptContent(getEncryptionKey(config), `${field} ${creatorId}`, JSON.stringify(value));

const status = z.enum(VERIFICATION_STATUSES);
const kind = z.enum(DOCUMENT_KINDS);
const state = z.enum(DOCUMENT_STATES);

export async function getVerificationRecord(
  db: Executor,
  config: Config,
  creatorId: string,
): Promise<VerificationRecord> {
  const [row, documents] = await Promise.all([
    db.query.selectFrom('verifications').selectAll().where('creator_id', '=', creatorId).executeTakeFirst(),
    db.query.selectFrom('verification_documents').selectAll().where('creator_id', '=', creatorId).execute(),
  ]);
  const details = row?.details && decryptText(getEncryptionKey(config), `details ${creatorId}`, row.details);
  return {
    creatorId,
    status: row ? z.parse(status, row.status) : 'started',
    details: details ? z.parse(verificationDetails, JSON.parse(details)) : undefined,
    documents: new Map(
      documents.map((document) => [
        z.parse(kind, document.kind),
        {
          kind: z.parse(kind, document.kind),
          state: z.parse(state, document.state),
          reason: document.reason,
          fileKey: document.file_key,
          uploadedAt: document.taken_at,
        },
      ]),
    ),
    agreementVersion: row?.agreement_version ?? null,
    signedAt: row?.signed_at ?? null,
    submittedAt: row?.submitted_at ?? null,
    answerBy: row?.answer_by ?? null,
    decidedAt: row?.decided_at ?? null,
  };
}

/** Locks the row until the transaction ends. */
export async function lockVerification(
  tx: DbTransaction,
  config: Config,
  creatorId: string,
): Promise<VerificationRecord> {
  await tx.query
    .insertInto('verifications')
    .values({ creator_id: creatorId })
    .onConflict((conflict) => conflict.column('creator_id').doNothing())
    .execute();
  await tx.query
    .selectFrom('verifications')
    .select('creator_id')
    .where('creator_id', '=', creatorId)
    .forUpdate()
    .execute();
  return getVerificationRecord(tx, config, creatorId);
}

async function updateVerification(
  tx: DbTransaction,
  creatorId: string,
  changes: Updateable<Tables['verifications']>,
): Promise<void> {
  await tx.query.updateTable('verifications').set(changes).where('creator_id', '=', creatorId).execute();
}

export function saveDetails(
  tx: DbTransaction,
  config: Config,
  creatorId: string,
  details: VerificationDetails,
): Promise<void> {
  return updateVerification(tx, creatorId, {
    details: encryptField(config, 'details', creatorId, details),
    document_type: details.documentType,
  });
}

export type Signature = { version: string; signedAs: string; strokes: readonly (readonly (readonly number[])[])[] };

export function saveSignature(
  tx: DbTransaction,
  config: Config,
  creatorId: string,
  { version, ...drawnSignature }: Signature,
  at: Date,
): Promise<void> {
  return updateVerification(tx, creatorId, {
    agreement_version: version,
    signed_at: at,
    signature: encryptField(config, 'signature', creatorId, drawnSignature),
  });
}

export function deleteSignature(tx: DbTransaction, creatorId: string): Promise<void> {
  return updateVerification(tx, creatorId, { agreement_version: null, signed_at: null, signature: null });
}

export async function saveDocument(
  tx: DbTransaction,
  creatorId: string,
  document: { kind: DocumentKind; fileKey: string; uploadedAt: Date },
): Promise<void> {
  const row = { state: 'pending', reason: null, file_key: document.fileKey, taken_at: document.uploadedAt };
  await tx.query
    .insertInto('verification_documents')
    .values({ creator_id: creatorId, kind: document.kind, ...row })
    .onConflict((conflict) => conflict.columns(['creator_id', 'kind']).doUpdateSet(row))
    .execute();
}

export async function deleteDocuments(
  tx: DbTransaction,
  creatorId: string,
  kinds: readonly DocumentKind[],
): Promise<void> {
  if (kinds.length === 0) return;
  await tx.query
    .deleteFrom('verification_documents')
    .where('creator_id', '=', creatorId)
    .where('kind', 'in', [...kinds])
    .execute();
}

export async function markSubmitted(tx: DbTransaction, creatorId: string, at: Date, answerBy: Date): Promise<void> {
  await updateVerification(tx, creatorId, { status: 'submitted', submitted_at: at, answer_by: answerBy });
  await tx.query
    .updateTable('verification_documents')
    .set({ state: 'submitted' })
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'pending')
    .execute();
}

export type RejectedDocument = { kind: DocumentKind; reason: string };

/** Documents that are not rejected are approved. */
export async function markDecided(
  tx: DbTransaction,
  creatorId: string,
  decision: { status: VerificationStatus; rejected: readonly RejectedDocument[]; operatorId: string | null; at: Date },
): Promise<void> {
  await updateVerification(tx, creatorId, {
    status: decision.status,
    answer_by: null,
    decided_at: decision.at,
    decided_by: decision.operatorId,
  });
  await tx.query
    .updateTable('verification_documents')
    .set({ state: 'approved', reason: null })
    .where('creator_id', '=', creatorId)
    .execute();
  for (const { kind: rejectedKind, reason } of decision.rejected)
    await tx.query
      .updateTable('verification_documents')
      .set({ state: 'rejected', reason })
      .where('creator_id', '=', creatorId)
      .where('kind', '=', rejectedKind)
      .execute();
}

export type QueuedVerification = {
  creator_id: string;
  submitted_at: Date | null;
  answer_by: Date | null;
  decided_at: Date | null;
};

/** Returns those that wait longest first. */
export async function listByStatus(
  db: Executor,
  wantedStatus: VerificationStatus,
  { limit, skip }: { limit: number; skip: number },
): Promise<{ rows: QueuedVerification[]; total: number }> {
  const query = db.query.selectFrom('verifications').where('status', '=', wantedStatus);
  const [rows, { total }] = await Promise.all([
    query
      .select(['creator_id', 'submitted_at', 'answer_by', 'decided_at'])
      .orderBy('submitted_at')
      .orderBy('creator_id')
      .limit(limit)
      .offset(skip)
      .execute(),
    query.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

export async function countSubmitted(db: Executor): Promise<{ count: number; since: Date | null }> {
  return db.query
    .selectFrom('verifications')
    .select((row) => [row.fn.countAll<number>().as('count'), row.fn.min<Date | null>('submitted_at').as('since')])
    .where('status', '=', 'submitted')
    .executeTakeFirstOrThrow();
}

const DELETED_DOCUMENT = { state: 'rejected', reason: texts.documentDeletedReason } as const;

/** The creator has changed their name or date of birth. */
export async function reopenDocuments(tx: DbTransaction, creatorId: string): Promise<void> {
  await tx.query
    .updateTable('verification_documents')
    .set({ state: 'pending' })
    .where('creator_id', '=', creatorId)
    .where('state', '=', 'approved')
    .execute();
}

/** The caller deletes the returned files after the commit. */
export async function clearDuePictures(tx: DbTransaction, before: Date): Promise<string[]> {
  const due = await tx.query
    .selectFrom('verification_documents as d')
    .innerJoin('verifications as v', 'v.creator_id', 'd.creator_id')
    .select(['d.creator_id', 'd.kind', 'd.file_key', 'd.state', 'v.status'])
    .where('v.status', 'in', ['verified', 'failed', 'declined'])
    .where('v.decided_at', '<=', before)
    .where('d.file_key', 'is not', null)
    .where((row) => row.or([row('d.kind', '=', 'selfie'), row('d.state', '=', 'rejected')]))
    .limit(500)
    .forUpdate()
    .execute();
  for (const { creator_id, kind: documentKind, state, status } of due)
    await tx.query
      .updateTable('verification_documents')
      // An unverified creator needs a selfie for comparison, so a deleted one must be taken again.
      .set({ file_key: null, ...(status !== 'verified' && state !== 'rejected' ? DELETED_DOCUMENT : {}) })
      .where('creator_id', '=', creator_id)
      .where('kind', '=', documentKind)
      .execute();
  return due.flatMap(({ file_key }) => file_key ?? []);
}

export async function findKnownKeys(db: Executor, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const query = db.query.selectFrom('verification_documents').select('file_key').where('file_key', 'in', keys);
  return new Set((await query.execute()).flatMap(({ file_key: key }) => key ?? []));
}
