/**
 * Sign-up agrees to the version in force. A later version that requires agreement must be accepted before the user
 * continues.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/policies.ts';
import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/policies.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { versionAt } from './policies.ts';
import { keepReading, readingOf } from './readings.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';

type Asking = Pick<Context, 'clock' | 'db'>;
type Way = 'signUp' | 'asked';

type Agreed = { key: PolicyKey; version: Version };

type Agreement = { userId: string; way: Way; at: Date };

async function keep(tx: Transaction, { userId, way, at }: Agreement, agreed: readonly Agreed[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const { key, version } of agreed) {
    const hash = await keepReading(tx, key, version, at);
    hashes.push(hash);
    await tx.query
      .insertInto('policy_agreements')
      .values({ user_id: userId, policy: key, version: version.version, way, agreed_at: at, text_hash: hash })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return hashes;
}

function askedAt(policy: Policy, at: Date) {
  const { version: now } = versionAt(policy, at);
  return policy.versions.findLast(({ version, asks }) => asks && version <= now);
}

const ASKING = POLICY_KEYS.filter((key) => POLICIES[key].versions.some(({ asks }) => asks));

export async function agreeAtSignUp(tx: Transaction, userId: string, at: Date): Promise<void> {
  const agreed = ASKING.map((key) => ({ key, version: versionAt(POLICIES[key], at) }));
  await keep(tx, { userId, way: 'signUp', at }, agreed);
}

async function agreedBy(db: Executor, userId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('policy_agreements')
    .select(({ fn, cast }) => ['policy', cast<string>(fn.max('version'), 'text').as('version')])
    .where('user_id', '=', userId)
    .groupBy('policy')
    .execute();
  return new Map(rows.map(({ policy, version }) => [policy, version]));
}

/** Operators are bound by their contract instead. */
export async function viewOpen(
  { db, clock }: Asking,
  { userId, type }: Pick<Actor, 'userId' | 'type'>,
): Promise<AnswerOf<typeof contract.openAgreements>> {
  if (type === 'operator') return { data: [] };
  const now = clock.now();
  const agreed = await agreedBy(db, userId);
  const open = ASKING.flatMap((key) => {
    const policy = POLICIES[key];
    const asked = askedAt(policy, now);
    const before = agreed.get(key) ?? null;
    if (!asked || (before !== null && before >= asked.version)) return [];
    return { key, policy, before, inForce: versionAt(policy, now) };
  });
  const data = await Promise.all(
    open.map(async ({ key, policy, before, inForce }) => {
      const changes = policy.versions.filter(({ version }) => version <= inForce.version && version > (before ?? ''));
      return {
        key,
        title: policy.title,
        version: inForce.version,
        reading: (await readingOf(db, key, inForce)).hash,
        agreedVersion: before,
        changes: changes.map(({ version, changes }) => ({ version, changes })).toReversed(),
      };
    }),
  );
  return { data };
}

/** Stores an agreement. Throws CONFLICT when the version shown is no longer in force or its text has changed. */
export async function agree(
  ctx: Asking,
  { userId }: Pick<Actor, 'userId'>,
  agreed: BodyOf<typeof contract.agreeToPolicies>['agreed'],
): Promise<AnswerOf<typeof contract.agreeToPolicies>> {
  const now = ctx.clock.now();
  const inForce = agreed.map(({ key }) => ({ key, version: versionAt(POLICIES[key], now) }));
  if (agreed.some(({ version }, index) => inForce[index]?.version.version !== version))
    throw new AppError('CONFLICT', { message: 'There’s a newer version. Please review it and agree again.' });
  await ctx.db.transaction(async (tx) => {
    const kept = await keep(tx, { userId, way: 'asked', at: now }, inForce);
    // Throwing rolls the agreement back when the text differs from the one shown.
    if (agreed.some(({ reading }, index) => kept[index] !== reading))
      throw new AppError('CONFLICT', { message: 'This text has changed. Please review it and agree again.' });
  });
  return { data: agreed.map(({ key, version }) => ({ key, version, agreedAt: now.toISOString() })) };
}
