/**
 * `npm run operators` lists operators. With a username and roles it grants them, with `none` it removes all. The first
 * owner is created this way, and gets the printed code to set up two-factor authentication.
 */
import { parseArgs } from 'node:util';
import { OPERATOR_ROLES } from '@stagedoor/contract/admin/operator-rights.ts';
import { reason as reasonSchema } from '@stagedoor/contract/admin/processor-webhooks.ts';
import { STAFF_CODE_HOURS } from '@stagedoor/contract/admin/staff.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
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
  const code = await setRolesByCli({ clock: systemClock }, db, username, { roles, reason: reason.data });
  console.log(roles.length === 0 ? `@${username} has no roles anymore.` : `@${username}: ${roles.join(', ')}`);
  if (code !== undefined)
    console.log(
      `\nThe roles work once two-factor authentication is set up at ${config.publicUrl}${PATHS.adminAccount} with this code:\n\n  ${code}\n\nIt works once, for ${STAFF_CODE_HOURS} hours. Give it only to the holder of the account. For a new code, run this again.`,
    );
});
