/**
 * Who agreed to which version. Signing up agrees to the version of that moment; a later one that asks for it is agreed to before one
 * goes on. What a creator signs in their own name is verification's.
 */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/policies.ts';
import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/policies.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { versionAt } from './policies.ts';
import { keepReading } from './readings.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';

type Asking = Pick<Context, 'clock' | 'db'>;
type Way = 'signUp' | 'asked';

type Agreed = { key: PolicyKey; version: Version };

/** Keeps that somebody agreed, and with it the texts as they read. */
async function keep({ db, clock }: Asking, userId: string, way: Way, agreed: readonly Agreed[], at: Date) {
  await db.transaction(async (tx) => {
    for (const { key, version } of agreed) {
      const hash = await keepReading(tx, key, version, clock.now());
      await tx.query
        .insertInto('policy_agreements')
        .values({ user_id: userId, policy: key, version: version.version, way, agreed_at: at, text_hash: hash })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

/** The newest version until now that has to be agreed to; none where nothing has. */
function askedAt(policy: Policy, at: Date) {
  const { version: now } = versionAt(policy, at);
  return policy.versions.findLast(({ version, asks }) => asks && version <= now);
}

const ASKING = POLICY_KEYS.filter((key) => POLICIES[key].versions.some(({ asks }) => asks));

/** Somebody who ticked the box of sign-up agreed to what it led to at that moment. */
export async function keepConsent(ctx: Asking, userId: string): Promise<void> {
  const user = await ctx.db.query
    .selectFrom('users')
    .select('consented_at')
    .where('id', '=', userId)
    .executeTakeFirst();
  const at = user?.consented_at;
  if (!at) return;
  const agreed = ASKING.map((key) => ({ key, version: versionAt(POLICIES[key], at) }));
  await keep(ctx, userId, 'signUp', agreed, at);
}

/** The newest version of each text that somebody agreed to. */
async function agreedBy(db: Executor, userId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('policy_agreements')
    .select(({ fn, cast }) => ['policy', cast<string>(fn.max('version'), 'text').as('version')])
    .where('user_id', '=', userId)
    .groupBy('policy')
    .execute();
  return new Map(rows.map(({ policy, version }) => [policy, version]));
}

/** What somebody has still to agree to. The house's own staff is asked by their contract. */
export async function viewOpen(
  { db, clock }: Asking,
  { userId, type }: Pick<Actor, 'userId' | 'type'>,
): Promise<AnswerOf<typeof contract.openAgreements>> {
  if (type === 'operator') return { data: [] };
  const now = clock.now();
  const agreed = await agreedBy(db, userId);
  const data = ASKING.flatMap((key) => {
    const policy = POLICIES[key];
    const asked = askedAt(policy, now);
    const before = agreed.get(key) ?? null;
    if (!asked || (before !== null && before >= asked.version)) return [];
    const { version } = versionAt(policy, now);
    const changes = policy.versions.filter((one) => one.version <= version && one.version > (before ?? ''));
    return {
      key,
      title: policy.title,
      version,
      agreedVersion: before,
      changes: changes.map(({ version, changes }) => ({ version, changes })).toReversed(),
    };
  });
  return { data };
}

/** Keeps what somebody agrees to. Throws CONFLICT when what they saw is not in force any more. */
export async function agree(
  ctx: Asking,
  { userId }: Pick<Actor, 'userId'>,
  agreed: BodyOf<typeof contract.agreeToPolicies>['agreed'],
): Promise<AnswerOf<typeof contract.agreeToPolicies>> {
  const now = ctx.clock.now();
  const inForce = agreed.map(({ key }) => ({ key, version: versionAt(POLICIES[key], now) }));
  if (agreed.some(({ version }, index) => inForce[index]?.version.version !== version))
    throw new AppError('CONFLICT', { message: 'A newer version is in force by now. Please read it, and agree again.' });
  await keep(ctx, userId, 'asked', inForce, now);
  return { data: agreed.map((one) => ({ ...one, agreedAt: now.toISOString() })) };
}
