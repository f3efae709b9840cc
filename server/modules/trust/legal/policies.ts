import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type * as contract from '@stagedoor/contract/trust/legal.ts';
import { POLICY_KEYS, type PolicyKey } from '@stagedoor/contract/trust/legal.ts';
import type { Context } from '../../../platform/context.ts';
import { getFormerSections, renderSections } from './policy-texts.ts';
import { POLICIES } from './texts/index.ts';
import type { Policy, Version } from './texts/text.ts';

type PolicyContext = Pick<Context, 'clock' | 'config' | 'db'>;

const toUtcDay = (at: Date) => at.toISOString().slice(0, 10);

/** Before the first version it returns the first one. */
export function getVersionAt({ versions }: Policy, at: Date): Version {
  return versions.findLast(({ version }) => version <= toUtcDay(at)) ?? versions[0];
}

function listVersions(policy: Policy, at: Date) {
  const { version: now } = getVersionAt(policy, at);
  return policy.versions
    .filter(({ version }) => version <= now)
    .map(({ version, changes }) => ({ version, changes }))
    .toReversed();
}

export async function getPolicyView(
  ctx: PolicyContext,
  key: PolicyKey,
  requestedVersion: string | undefined,
): Promise<ResponseInputOf<typeof contract.getPolicy>> {
  const policy = POLICIES[key];
  const now = ctx.clock.now();
  const inForce = getVersionAt(policy, now);
  const selected =
    requestedVersion === undefined ? inForce : policy.versions.find(({ version }) => version === requestedVersion);
  if (!selected || selected.version > inForce.version) throw new AppError('NOT_FOUND');
  return {
    dependsOnSettings: true,
    key,
    title: policy.title,
    lead: policy.lead,
    version: selected.version,
    isInForce: selected === inForce,
    sections: await (selected === inForce
      ? renderSections(ctx.db, ctx.config, selected)
      : getFormerSections(ctx.db, ctx.config, key, selected)),
    versions: listVersions(policy, now),
  };
}

export function listPolicyViews({ clock }: Pick<Context, 'clock'>): ResponseInputOf<typeof contract.listPolicies> {
  const now = clock.now();
  return {
    dependsOnSettings: true,
    data: POLICY_KEYS.map((key) => ({
      key,
      title: POLICIES[key].title,
      lead: POLICIES[key].lead,
      versions: listVersions(POLICIES[key], now),
    })),
  };
}
