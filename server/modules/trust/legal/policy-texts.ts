/** Amounts in a text follow the operator's settings, so an agreed text is stored as it read, once for all users. */
import { createHash } from 'node:crypto';
import { type PolicyKey, policySection } from '@stagedoor/contract/trust/legal.ts';
import * as z from 'zod/mini';
import type { Config } from '../../../platform/config.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { getPlatformTerms } from '../../finance/pricing/index.ts';
import { getCompanyDetails } from './company-details.ts';
import type { Version } from './texts/text.ts';

const sections = z.array(policySection);
export type PolicySections = z.infer<typeof sections>;

type PolicySettings = Pick<Config, 'hasUnverifiedPosts'>;

export async function renderSections(
  db: Executor,
  config: PolicySettings,
  { write }: Version,
): Promise<PolicySections> {
  const [companyDetails, terms] = await Promise.all([getCompanyDetails(db), getPlatformTerms(db, config)]);
  return write({ companyDetails, terms });
}

const STORE_TEXT: SqlStatement = {
  name: 'legal-store-text',
  text: `insert into policy_texts (hash, policy, version, sections, agreed_since) values ($1, $2, $3, $4::jsonb, $5)
    on conflict (hash) do nothing`,
};

export async function renderPolicyText(
  db: Executor,
  config: PolicySettings,
  key: PolicyKey,
  version: Version,
): Promise<{ hash: string; text: string }> {
  const text = JSON.stringify(await renderSections(db, config, version));
  const hash = createHash('sha256')
    .update(JSON.stringify([key, version.version, text]))
    .digest('hex');
  return { hash, text };
}

/** Stores the present text and returns its hash. */
export async function storePolicyText(
  db: Executor,
  config: PolicySettings,
  { key, version }: { key: PolicyKey; version: Version },
  at: Date,
): Promise<string> {
  const { hash, text } = await renderPolicyText(db, config, key, version);
  await db.run(STORE_TEXT, [hash, key, version.version, text, at]);
  return hash;
}

const FIND_LAST_TEXT: SqlStatement = {
  name: 'legal-find-last-text',
  text: `select t.sections from policy_agreements a join policy_texts t on t.hash = a.text_hash
    where a.policy = $1 and a.version = $2 and a.text_hash is not null order by a.agreed_at desc limit 1`,
};

/** Returns the text as it read at the last agreement, or as it would read now if there was none. */
export async function getFormerSections(
  db: Executor,
  config: PolicySettings,
  key: PolicyKey,
  version: Version,
): Promise<PolicySections> {
  const [stored] = await db.run<{ sections: unknown }>(FIND_LAST_TEXT, [key, version.version]);
  return stored ? z.parse(sections, stored.sections) : renderSections(db, config, version);
}

type AgreedTextRow = { policy: string; version: string; source: string; agreedAt: Date; sections: unknown };
const LIST_AGREED_TEXTS: SqlStatement = {
  name: 'legal-agreed-texts',
  text: `select a.policy, a.version::text as version, a.source, a.agreed_at as "agreedAt", t.sections from policy_agreements a
    left join policy_texts t on t.hash = a.text_hash where a.user_id = $1 order by a.agreed_at, a.policy`,
};

/** The text is null for agreements from before texts were stored. */
export async function listAgreedTexts(db: Executor, userId: string) {
  const rows = await db.run<AgreedTextRow>(LIST_AGREED_TEXTS, [userId]);
  return rows.map(({ sections: storedSections, ...agreed }) => ({
    ...agreed,
    sections: storedSections === null ? null : z.parse(sections, storedSections),
  }));
}
