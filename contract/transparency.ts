/** The log of the money, as far as it concerns a person: their own transactions, each with the proof of its place. */
import * as z from 'zod/mini';
import { limit, offset } from './atoms/paging.ts';
import { route } from './atoms/route.ts';

export const journalEntry = z.object({
  /** The leaf's place in the log, from 0. */
  position: z.number(),
  /** What is hashed: SHA-256 of a byte 0 and this text is the leaf (RFC 6962). Random bytes in hex, then JSON. */
  data: z.string(),
  /** What only the owner of the balance sees. SHA-256 of salt and text is what `data` says as `sealed`. */
  sealed: z.nullable(z.object({ salt: z.string(), text: z.string() })),
  /** The hashes beside the way from the leaf to the root, in base64. */
  proof: z.array(z.string()),
});
export type JournalEntry = z.infer<typeof journalEntry>;

export const journal = z.object({
  /** The signed note whose root the proofs lead to, and the public key (`vkey`) of its signature. */
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
  summary: 'A fan’s transactions or a creator’s sales as they stand in the log, with proofs that verify without us',
  auth: 'session',
  rate: 'write',
  query: z.object({ limit, offset }),
  response: journal,
  errors: ['NOT_FOUND'],
});
