/**
 * `npm run operators` lists operators. With a username and roles it grants them, with `none` it removes all. The first
 * owner is created this way.
 */
import { parseArgs } from 'node:util';
import { OPERATOR_ROLES } from '@stagedoor/contract/admin/operator-rights.ts';
import { reason as reasonSchema } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { runCliCommand } from '../../../platform/cli.ts';
import { systemClock } from '../../../platform/clock.ts';
import { listOperators } from '../accounts/index.ts';
import { setRolesByCli } from './staff.ts';

const USAGE = `npm run operators -- [USERNAME ${OPERATOR_ROLES.join(',')} | USERNAME none] [--reason "why"]`;

await runCliCommand(async ({ config, db }) => {
  const { values, positionals } = parseArgs({ options: { reason: { type: 'string' } }, allowPositionals: true });
  const [username, rolesText] = positionals;
  if (username === undefined) {
    const operators = await listOperators({ clock: systemClock, config }, db);
    for (const { username: name, roles } of operators) console.log(`@${name}: ${roles.join(', ') || 'no roles'}`);
    console.log(operators.length === 0 ? 'No staff yet.' : '');
    console.log(USAGE);
    return;
  }
  const names = rolesText === 'none' ? [] : (rolesText ?? '').split(',');
  const roles = OPERATOR_ROLES.filter((role) => names.includes(role));
  if (rolesText === undefined || roles.length !== names.length) throw new Error(USAGE);
  const reason = reasonSchema.safeParse(values.reason ?? '');
  if (!reason.success) throw new Error(`--reason: ${reason.error.issues[0]?.message ?? 'Give a reason.'}`);
  await setRolesByCli({ clock: systemClock }, db, username, { roles, reason: reason.data });
  console.log(roles.length === 0 ? `@${username} has no roles anymore.` : `@${username}: ${roles.join(', ')}`);
});
