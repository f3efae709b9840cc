/**
 * Weakening a setting that protects money needs two operators, tightening it needs one. A module changes its settings with
 * `updateSettings` and registers the group of each guarded setting.
 */

import {
  decideSettingApproval as decideRoute,
  GUARDED_SETTINGS,
  type GuardedSetting,
  guardedSetting,
  isWeakerValue,
  type listSettingApprovals,
} from '@stagedoor/contract/admin/setting-approvals.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { defineKeyedHook } from '../../../platform/hooks.ts';
import { findUserSummaries } from '../accounts/index.ts';
import { logAction } from '../audit-log/index.ts';
import { needsSecondOperator, type OperatorRoute } from './four-eyes.ts';
import {
  countPending,
  createDecidedError,
  type DecidingOperator,
  decideRequest,
  endRequest,
  insertRequest,
  listPending,
  type RequestRow,
} from './requests.ts';
import * as texts from './texts.ts';

export const SETTINGS_CHANGED_MESSAGE = texts.settingsChangedBySomeone;

type SettingValues = Readonly<Record<string, number>>;

export type SettingGroup<Values extends SettingValues = SettingValues> = {
  /** The name in the audit log. */
  name: string;
  /** The route that changes the group. Who requested a change must still have the right to call it. */
  route: OperatorRoute;
  /** Blocks changes of the group until the transaction ends. */
  lock(tx: DbTransaction): Promise<unknown>;
  read(db: Executor): Promise<Values>;
  /** Throws when the values contradict each other. */
  check?(tx: DbTransaction, values: Values, now: Date): Promise<void>;
  save(tx: DbTransaction, values: Values): Promise<void>;
};

const guardedSettings = defineKeyedHook<SettingGroup, GuardedSetting>('approvals.guardedSetting');
/** Registers the group of a guarded setting. */
export const registerGuardedSetting = guardedSettings.register;

/** The value is in USD, hours or days. */
const settingPayload = z.object({ value: z.number() });
const getValue = ({ payload }: Pick<RequestRow, 'payload'>) => z.parse(settingPayload, payload).value;

/** Returns the oldest requests first. */
export const listPendingSettings = (db: Executor): Promise<RequestRow[]> => listPending(db, ['setting']);

export const countPendingSettings = (db: Executor): ReturnType<typeof countPending> => countPending(db, ['setting']);

type SettingChange<Values> = { from: Values; to: Values; reason: string };

/**
 * Weakened settings stay as they were and wait for a second operator, unless there is no other. Changing one again ends
 * its pending request. Returns the values that stay and the details for the audit log.
 */
async function splitChanges(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  operatorId: string,
  { from: before, to, reason }: SettingChange<SettingValues>,
): Promise<{ retained: Partial<Record<GuardedSetting, number>>; details: Record<string, number | boolean> }> {
  const retained: Partial<Record<GuardedSetting, number>> = {};
  const details: Record<string, number | boolean> = {};
  for (const [name, value] of Object.entries(to)) {
    const previous = before[name];
    if (previous === undefined || previous === value) continue;
    const guard = GUARDED_SETTINGS.find((one) => one === name);
    const isWeaker = guard !== undefined && isWeakerValue(guard, previous, value);
    const needsApproval = isWeaker && (await needsSecondOperator(ctx, tx, operatorId, decideRoute));
    details[needsApproval ? `${name}Requested` : name] = value;
    details[`${name}Before`] = previous;
    if (guard === undefined) continue;
    const pending = { kind: 'setting', subject_id: guard } as const;
    const replaced = await endRequest(ctx, tx, pending, { outcome: 'withdrawn', by: operatorId });
    if (!needsApproval) {
      if (isWeaker) details.alone = true;
      if (replaced) details[`${name}Withdrawn`] = getValue(replaced);
      continue;
    }
    retained[guard] = previous;
    const payload = { value: Math.round(value * 100) / 100 };
    const subject = { kind: 'setting', subjectId: guard, subjectLabel: guard, amountCents: null } as const;
    await insertRequest(ctx, tx, { ...subject, payload, operatorId, reason }, false);
  }
  return { retained, details };
}

/**
 * Changes a group of settings and returns its values. Throws CONFLICT when they differ from those that the operator saw
 * or the operator's roles are too new, and what the check of the group throws.
 */
export function updateSettings<Values extends SettingValues>(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  { name, lock, read, check, save }: SettingGroup<Values>,
  { from, to, reason }: SettingChange<Values>,
): Promise<Values> {
  return ctx.db.transaction(async (tx) => {
    // A concurrent change waits here.
    await lock(tx);
    const before = await read(tx);
    const isCurrent = (values: SettingValues) => Object.entries(before).every(([key, value]) => values[key] === value);
    if (isCurrent(to)) return before;
    if (!isCurrent(from)) throw new AppError('CONFLICT', { message: SETTINGS_CHANGED_MESSAGE });
    await check?.(tx, to, ctx.clock.now());
    const { retained, details } = await splitChanges(ctx, tx, operatorId, { from: before, to, reason });
    await save(tx, { ...to, ...retained });
    const entry = { action: `settings.${name}`, subjectKind: 'settings', subjectId: name };
    await logAction(ctx, tx, { operatorId, ...entry, details: { ...details, reason } });
    return read(tx);
  });
}

export async function loadSettingApprovals(
  ctx: Pick<Context, 'db' | 'hooks'>,
): Promise<ResponseInputOf<typeof listSettingApprovals>> {
  const pending = await listPendingSettings(ctx.db);
  const usersById = await findUserSummaries(
    ctx.db,
    pending.map(({ operator_id: id }) => id),
  );
  const data = pending.map(async (request) => {
    const { subject_id: subjectId, operator_id: operatorId, reason, at } = request;
    const name = z.parse(guardedSetting, subjectId);
    const from = (await guardedSettings.get(ctx, name).read(ctx.db))[name];
    if (from === undefined) throw new Error(`the setting ${name} has no value`);
    const operator = usersById.get(operatorId)?.username ?? operatorId;
    return { name, from, to: getValue(request), operator, reason, at: at.toISOString() };
  });
  return { data: await Promise.all(data) };
}

/** Throws CONFLICT as {@link decideRequest}, and when another value is pending. */
export async function decideSetting(
  ctx: Pick<Context, 'clock' | 'db' | 'hooks'>,
  actor: DecidingOperator,
  name: GuardedSetting,
  { to, ...decision }: BodyOf<typeof decideRoute>,
): Promise<ResponseInputOf<typeof decideRoute>> {
  const [request] = await listPending(ctx.db, ['setting'], [name]);
  if (!request || getValue(request) !== to) throw createDecidedError();
  const { name: group, route, lock, read, save } = guardedSettings.get(ctx, name);
  await decideRequest(ctx, actor, request, decision, {
    requestRoute: route,
    decisionRoute: decideRoute,
    // Changing the settings directly takes the same lock.
    lock,
    perform: async (tx) => save(tx, { ...(await read(tx)), [name]: to }),
    describe: async (tx, { operator_id: requestedBy }, { decision: outcome, reason }) => ({
      action: `settings.${group}.${outcome}`,
      subjectKind: 'settings',
      subjectId: group,
      details: {
        reason,
        requestedBy,
        ...(outcome === 'confirm'
          ? { [name]: to, [`${name}Before`]: (await read(tx))[name] ?? null }
          : { [`${name}Refused`]: to }),
      },
    }),
  });
  return loadSettingApprovals(ctx);
}
