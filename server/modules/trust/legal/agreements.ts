/**
 * Sign-up agrees to the version in force. A later version that requires agreement must be accepted before the user
 * continues.
 */

import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type * as contract from '@stagedoor/contract/trust/legal.ts';
import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/trust/legal.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { getVersionAt } from './policies.ts';
import { renderPolicyText, storePolicyText } from './policy-texts.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';
import * as texts from './texts.ts';

type PolicyContext = Pick<Context, 'clock' | 'config' | 'db'>;
type ConsentSource = 'signUp' | 'prompted';

type AgreedVersion = { key: PolicyKey; version: Version };

type AgreementInput = { userId: string; source: ConsentSource; at: Date };

async function storeAgreements(
  tx: DbTransaction,
  config: Context['config'],
  { userId, source, at }: AgreementInput,
  agreed: readonly AgreedVersion[],
): Promise<string[]> {
  const hashes: string[] = [];
  for (const { key, version } of agreed) {
    const hash = await storePolicyText(tx, config, { key, version }, at);
    hashes.push(hash);
    await tx.query
      .insertInto('policy_agreements')
      .values({ user_id: userId, policy: key, version: version.version, source, agreed_at: at, text_hash: hash })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return hashes;
}

function findVersionToAccept(policy: Policy, at: Date) {
  const { version: now } = getVersionAt(policy, at);
  return policy.versions.findLast(({ version, requiresAgreement }) => requiresAgreement && version <= now);
}

const CONSENT_KEYS = POLICY_KEYS.filter((key) =>
  POLICIES[key].versions.some(({ requiresAgreement }) => requiresAgreement),
);

export async function storeSignUpAgreements(
  tx: DbTransaction,
  config: Context['config'],
  userId: string,
  at: Date,
): Promise<void> {
  const agreed = CONSENT_KEYS.map((key) => ({ key, version: getVersionAt(POLICIES[key], at) }));
  await storeAgreements(tx, config, { userId, source: 'signUp', at }, agreed);
}

async function listAgreedVersions(db: Executor, userId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('policy_agreements')
    .select(({ fn, cast }) => ['policy', cast<string>(fn.max('version'), 'text').as('version')])
    .where('user_id', '=', userId)
    .groupBy('policy')
    .execute();
  return new Map(rows.map(({ policy, version }) => [policy, version]));
}

/** Operators are bound by their contract instead. */
export async function getPendingConsents(
  { db, clock, config }: PolicyContext,
  { userId, type }: Pick<Actor, 'userId' | 'type'>,
): Promise<ResponseInputOf<typeof contract.listPendingConsents>> {
  if (type === 'operator') return { data: [] };
  const now = clock.now();
  const agreed = await listAgreedVersions(db, userId);
  const pending = CONSENT_KEYS.flatMap((key) => {
    const policy = POLICIES[key];
    const requiredVersion = findVersionToAccept(policy, now);
    const before = agreed.get(key) ?? null;
    if (!requiredVersion || (before !== null && before >= requiredVersion.version)) return [];
    return { key, policy, before, inForce: getVersionAt(policy, now) };
  });
  const data = await Promise.all(
    pending.map(async ({ key, policy, before, inForce }) => {
      const changes = policy.versions.filter(({ version }) => version <= inForce.version && version > (before ?? ''));
      return {
        key,
        title: policy.title,
        version: inForce.version,
        textHash: (await renderPolicyText(db, config, key, inForce)).hash,
        agreedVersion: before,
        changes: changes.map(({ version, changes }) => ({ version, changes })).toReversed(),
      };
    }),
  );
  return { data };
}

/** Stores an agreement. Throws CONFLICT when the version shown is no longer in force or its text has changed. */
export async function agreeToPolicies(
  ctx: PolicyContext,
  { userId }: Pick<Actor, 'userId'>,
  agreed: BodyOf<typeof contract.agreeToPolicies>['agreed'],
): Promise<ResponseInputOf<typeof contract.agreeToPolicies>> {
  const now = ctx.clock.now();
  const inForce = agreed.map(({ key }) => ({ key, version: getVersionAt(POLICIES[key], now) }));
  if (agreed.some(({ version }, index) => inForce[index]?.version.version !== version))
    throw new AppError('CONFLICT', { message: texts.newerVersionNeedsAgreement });
  await ctx.db.transaction(async (tx) => {
    const hashes = await storeAgreements(tx, ctx.config, { userId, source: 'prompted', at: now }, inForce);
    // Throwing rolls the agreement back when the text differs from the one shown.
    if (agreed.some(({ textHash }, index) => hashes[index] !== textHash))
      throw new AppError('CONFLICT', { message: texts.changedTextNeedsAgreement });
  });
  return { data: agreed.map(({ key, version }) => ({ key, version, agreedAt: now.toISOString() })) };
}
