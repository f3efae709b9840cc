import * as z from 'zod/mini';
import { idList, instant, transactionId } from '../shared/ids.ts';
import { limit, offset } from '../shared/paging.ts';
import { fileResponse, route } from '../shared/route.ts';

export const journalEntry = z.object({
  /** Leaf index, starting at 0. */
  position: z.number(),
  /** The leaf is SHA-256 of a zero byte and this text (RFC 6962): random bytes in hex, then JSON. */
  data: z.string(),
  /** Private data. SHA-256 of salt and text is the field `sealed` in `data`. */
  sealed: z.nullable(z.object({ salt: z.string(), text: z.string() })),
  /** Inclusion path from the leaf to the root, in base64. */
  proof: z.array(z.string()),
});
export type JournalEntry = z.infer<typeof journalEntry>;

export const journal = z.object({
  /** The signed checkpoint, and the public key (`vkey`) of its signature. */
  checkpoint: z.string(),
  key: z.string(),
  data: z.array(journalEntry),
  limit: z.number(),
  nextOffset: z.optional(z.string()),
});
export type Journal = z.infer<typeof journal>;

export const getJournal = route({
  method: 'GET',
  path: '/wallet/journal',
  summary: 'List your transactions in the transparency log, with independently verifiable proofs',
  auth: 'session',
  rate: 'write',
  query: z.object({ limit, offset }),
  response: journal,
  errors: ['NOT_FOUND'],
});

/** Verified on each request: the stored transactions are the ones that were signed. */
export const getJournalProofStatus = route({
  method: 'GET',
  path: '/wallet/journal/proof-status',
  summary: 'Get the log positions of your transactions; those without a checkpoint yet are omitted',
  auth: 'session',
  rate: 'read',
  query: z.object({ ids: idList }),
  response: z.object({
    data: z.array(
      z.object({
        id: transactionId,
        position: z.number(),
        isVerified: z.boolean(),
        checkpointAt: instant,
      }),
    ),
  }),
});

export const exportJournal = route({
  method: 'GET',
  path: '/wallet/journal/export',
  summary: 'Export your transactions in the latest checkpoint, with their proofs, for `ledger:verify`',
  auth: 'session',
  rate: 'sensitive',
  response: fileResponse,
  files: ['application/json'],
  errors: ['NOT_FOUND'],
});
