/** Each change is logged, and the log is the history of the switches. */

import {
  type listKillSwitches,
  type MissedRenewals,
  SITE_SWITCHES,
  type SiteSwitch,
  type SwitchState,
  type SwitchView,
  type updateKillSwitch,
} from '@stagedoor/contract/admin/kill-switches.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { KILL_SWITCH_MESSAGES, KILL_SWITCHES, MAINTENANCE_MESSAGE } from '@stagedoor/contract/shared/kill-switches.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { defineKeyedHook } from '../../../platform/hooks.ts';
import type { SiteStatusSnapshot } from '../../../platform/site-status.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { listChangedPriceLimits } from '../sales/index.ts';
import { listActiveAnnouncements } from './announcements.ts';
import * as texts from './texts.ts';

type SwitchTurn = { isDisabled: boolean; missedRenewals: MissedRenewals; at: Date };
/**
 * Runs in the transaction that turns a switch, under the lock of the switch. Returns details for the audit log.
 */
export type SwitchTurnHandler = (
  tx: DbTransaction,
  turn: SwitchTurn,
) => Promise<Readonly<Record<string, string | number>>>;
const turnHandlers = defineKeyedHook<SwitchTurnHandler, SiteSwitch>('siteStatus.switchTurn');
export const registerSwitchTurn = turnHandlers.register;

type SwitchRow = { name: string; isDisabled: boolean; message: string; changedAt: Date };

const COLUMNS = 'name, is_disabled as "isDisabled", message, changed_at as "changedAt"';
const LIST: SqlStatement = { name: 'site-status-list', text: `select ${COLUMNS} from kill_switches` };
/** Also serializes changes of a switch that was never set. */
const LOCK: SqlStatement = {
  name: 'switch-lock',
  text: `insert into kill_switches (name, is_disabled, message, changed_at) values ($1, false, '', $2)
    on conflict (name) do update set name = excluded.name returning ${COLUMNS}`,
};
const UPDATE: SqlStatement = {
  name: 'switch-update',
  text: 'update kill_switches set is_disabled = $2, message = $3, changed_at = $4 where name = $1',
};

export async function loadSiteStatus({ db, clock }: Pick<Context, 'clock' | 'db'>): Promise<SiteStatusSnapshot> {
  const [rows, activeAnnouncements, prices] = await Promise.all([
    db.run<SwitchRow>(LIST, []),
    listActiveAnnouncements(db, clock.now()),
    listChangedPriceLimits(db),
  ]);
  const findMessage = (name: SiteSwitch, defaultMessage: string) => {
    const row = rows.find((one) => one.name === name && one.isDisabled);
    return row && (row.message || defaultMessage);
  };
  const disabledFeatures = KILL_SWITCHES.flatMap((name) => {
    const message = findMessage(name, KILL_SWITCH_MESSAGES[name]);
    return message === undefined ? [] : [[name, message] as const];
  });
  return {
    disabledFeatures: Object.fromEntries(disabledFeatures),
    maintenance: findMessage('maintenance', MAINTENANCE_MESSAGE),
    announced: activeAnnouncements,
    prices,
  };
}

const present = (name: SiteSwitch, row: SwitchRow | undefined): SwitchView => ({
  name,
  isDisabled: row?.isDisabled ?? false,
  message: row?.message ?? '',
  changedAt: row?.changedAt.toISOString() ?? null,
});

export async function listSwitchStates(db: Executor): Promise<ResponseInputOf<typeof listKillSwitches>> {
  const rows = await db.run<SwitchRow>(LIST, []);
  return {
    data: SITE_SWITCHES.map((name) =>
      present(
        name,
        rows.find((row) => row.name === name),
      ),
    ),
  };
}

const isSameState = (one: SwitchState, other: SwitchState) =>
  one.isDisabled === other.isDisabled && one.message === other.message;

async function saveSwitch(ctx: Context, tx: DbTransaction, operatorId: string, change: SwitchChange): Promise<void> {
  const { name, before, to, reason, missedRenewals } = change;
  const at = ctx.clock.now();
  await tx.run(UPDATE, [name, to.isDisabled, to.message, at]);
  const isTurned = to.isDisabled !== before.isDisabled;
  const turn = { isDisabled: to.isDisabled, missedRenewals, at };
  const turnDetails = isTurned ? await turnHandlers.find(ctx, name)?.(tx, turn) : undefined;
  await tx.emit('killSwitch.changed', { name });
  await logAction(ctx, tx, {
    operatorId,
    action: 'switch.set',
    subjectKind: 'switch',
    subjectId: name,
    details: {
      ...{ isDisabled: to.isDisabled, isDisabledBefore: before.isDisabled, reason },
      ...(to.message !== before.message && { message: to.message, messageBefore: before.message }),
      ...turnDetails,
    },
  });
}
type SwitchChange = {
  name: SiteSwitch;
  before: SwitchRow;
  to: SwitchState;
  reason: string;
  missedRenewals: MissedRenewals;
};

type SwitchBody = BodyOf<typeof updateKillSwitch>;
type SwitchInput = Omit<SwitchBody, 'missedRenewals'> & Partial<SwitchBody>;
/**
 * Sets a switch. Throws CONFLICT when it has changed since the operator loaded it. Setting the present state logs
 * nothing.
 */
export async function setKillSwitch(
  ctx: Context,
  operatorId: string,
  name: SiteSwitch,
  { from, to, reason, missedRenewals = 'charge' }: SwitchInput,
): Promise<ResponseInputOf<typeof updateKillSwitch>> {
  await ctx.db.transaction(async (tx) => {
    const [before] = await tx.run<SwitchRow>(LOCK, [name, ctx.clock.now()]);
    if (!before) throw new Error('an upsert always returns a row');
    if (isSameState(before, to)) return;
    if (!isSameState(before, from)) throw new AppError('CONFLICT', { message: texts.changedBySomeoneElse });
    await saveSwitch(ctx, tx, operatorId, { name, before, to, reason, missedRenewals });
  });
  ctx.siteStatus.invalidate();
  const { data } = await listSwitchStates(ctx.db);
  const view = data.find((one) => one.name === name);
  if (!view) throw new Error('each switch has a view');
  return view;
}
