/** Amounts in a text follow the operator's settings, so an agreed text is stored as it read, once for all users. */
import { createHash } from 'node:crypto';
import { type PolicyKey, policySection } from '@stagedoor/contract/policies.ts';
import * as z from 'zod/mini';
import type { Executor, Statement } from '../../kernel/db.ts';
import { factsOf } from './facts.ts';
import { houseTerms } from './terms.ts';
import type { Version } from './texts/text.ts';

const sections = z.array(policySection);
export type Sections = z.infer<typeof sections>;

export async function writtenOut(db: Executor, { write }: Version): Promise<Sections> {
  const [facts, terms] = await Promise.all([factsOf(db), houseTerms(db)]);
  return write({ facts, terms });
}

const KEEP: Statement = {
  name: 'policies-keep-text',
  text: `insert into policy_texts (hash, policy, version, sections, agreed_since) values ($1, $2, $3, $4::jsonb, $5)
    on conflict (hash) do nothing`,
};

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

/** Stores the present text and returns its hash. */
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

/** Returns the text as it read at the last agreement, or as it would read now if there was none. */
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

/** The text is null for agreements from before texts were stored. */
export async function agreedTexts(db: Executor, userId: string) {
  const rows = await db.run<Agreed>(OF_PERSON, [userId]);
  return rows.map(({ sections: kept, ...agreed }) => ({
    ...agreed,
    sections: kept === null ? null : z.parse(sections, kept),
  }));
}
