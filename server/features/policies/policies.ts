import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import type * as contract from '@stagedoor/contract/policies.ts';
import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/policies.ts';
import type { Context } from '../../kernel/context.ts';
import { formerReading, writtenOut } from './readings.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';

type Asking = Pick<Context, 'clock' | 'db'>;

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Before the first version it returns the first one. */
export function versionAt({ versions }: Policy, at: Date): Version {
  return versions.findLast(({ version }) => version <= dayOf(at)) ?? versions[0];
}

function linesOf(policy: Policy, at: Date) {
  const { version: now } = versionAt(policy, at);
  return policy.versions
    .filter(({ version }) => version <= now)
    .map(({ version, changes }) => ({ version, changes }))
    .toReversed();
}

export async function viewPolicy(
  ctx: Asking,
  key: PolicyKey,
  wanted: string | undefined,
): Promise<AnswerOf<typeof contract.readPolicy>> {
  const policy = POLICIES[key];
  const now = ctx.clock.now();
  const inForce = versionAt(policy, now);
  const shown = wanted === undefined ? inForce : policy.versions.find(({ version }) => version === wanted);
  if (!shown || shown.version > inForce.version) throw new AppError('NOT_FOUND');
  return {
    house: true,
    key,
    title: policy.title,
    lead: policy.lead,
    version: shown.version,
    isInForce: shown === inForce,
    sections: await (shown === inForce ? writtenOut(ctx.db, shown) : formerReading(ctx.db, key, shown)),
    versions: linesOf(policy, now),
  };
}

export function viewPolicies({ clock }: Pick<Context, 'clock'>): AnswerOf<typeof contract.listPolicies> {
  const now = clock.now();
  return {
    house: true,
    data: POLICY_KEYS.map((key) => ({
      key,
      title: POLICIES[key].title,
      lead: POLICIES[key].lead,
      versions: linesOf(POLICIES[key], now),
    })),
  };
}
