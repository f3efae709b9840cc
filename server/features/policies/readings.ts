/**
 * Texts as they read. Their figures follow the operator's settings; what somebody agreed to is stored as it read at that moment, once
 * for all who agreed to the same (docs/decisions/0164).
 */
import { createHash } from 'node:crypto';
import { type PolicyKey, policySection } from '@stagedoor/contract/policies.ts';
import * as z from 'zod/mini';
import type { Executor, Statement } from '../../kernel/db.ts';
import { factsOf } from './facts.ts';
import { houseTerms } from './terms.ts';
import type { Version } from './texts/text.ts';

const sections = z.array(policySection);
export type Sections = z.infer<typeof sections>;

/** A version as it reads now. */
export async function writtenOut(db: Executor, { write }: Version): Promise<Sections> {
  const [facts, terms] = await Promise.all([factsOf(db), houseTerms(db)]);
  return write({ facts, terms });
}

const KEEP: Statement = {
  name: 'policies-keep-text',
  text: `insert into policy_texts (hash, policy, version, sections, agreed_since) values ($1, $2, $3, $4::jsonb, $5)
    on conflict (hash) do nothing`,
};

/** A version as it reads now, with the hash that names it. */
export async function readingOf(
  db: Executor,
  key: PolicyKey,
  version: Version,
): Promise<{ hash: string; text: string }> {
  const text = JSON.stringify(await writtenOut(db, version));
  const hash = createHash('sha256')
    .update(JSON.stringify([key, version.version, text]))
    .digest('hex');
  return { hash, text };
}

/** Keeps a version as it reads now. Answers its hash. */
export async function keepReading(db: Executor, key: PolicyKey, version: Version, at: Date): Promise<string> {
  const { hash, text } = await readingOf(db, key, version);
  await db.run(KEEP, [hash, key, version.version, text, at]);
  return hash;
}

const LAST: Statement = {
  name: 'policies-last-text',
  text: `select t.sections from policy_agreements a join policy_texts t on t.hash = a.text_hash
    where a.policy = $1 and a.version = $2 and a.text_hash is not null order by a.agreed_at desc limit 1`,
};

/** A version that is not in force any more, as it read when people last agreed to it; where nobody did, as it would read now. */
export async function formerReading(db: Executor, key: PolicyKey, version: Version): Promise<Sections> {
  const [kept] = await db.run<{ sections: unknown }>(LAST, [key, version.version]);
  return kept ? z.parse(sections, kept.sections) : writtenOut(db, version);
}

type Agreed = { policy: string; version: string; way: string; agreedAt: Date; sections: unknown };
const OF_PERSON: Statement = {
  name: 'policies-agreed-texts',
  text: `select a.policy, a.version::text as version, a.way, a.agreed_at as "agreedAt", t.sections from policy_agreements a
    left join policy_texts t on t.hash = a.text_hash where a.user_id = $1 order by a.agreed_at, a.policy`,
};

/** What somebody agreed to, as it read then; without a text where it was before texts were kept. */
export async function agreedTexts(db: Executor, userId: string) {
  const rows = await db.run<Agreed>(OF_PERSON, [userId]);
  return rows.map(({ sections: kept, ...agreed }) => ({
    ...agreed,
    sections: kept === null ? null : z.parse(sections, kept),
  }));
}
