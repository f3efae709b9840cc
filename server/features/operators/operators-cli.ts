/**
 * `npm run operators` lists operators. With a username and roles it grants them, with `none` it removes all. The first
 * owner is created this way.
 */
import { parseArgs } from 'node:util';
import { OPERATOR_ROLES } from '@stagedoor/contract/operator-rights.ts';
import { ground as groundSchema } from '@stagedoor/contract/processor-desk.ts';
import { atTheMachine } from '../../kernel/at-the-machine.ts';
import { systemClock } from '../../kernel/clock.ts';
import { listOperators } from '../accounts/index.ts';
import { giveRoles } from './team.ts';

const USAGE = `npm run operators -- [USERNAME ${OPERATOR_ROLES.join(',')} | USERNAME none] [--reason "why"]`;

await atTheMachine(async ({ config, db }) => {
  const { values, positionals } = parseArgs({ options: { reason: { type: 'string' } }, allowPositionals: true });
  const [username, given] = positionals;
  if (username === undefined) {
    const operators = await listOperators({ clock: systemClock, config }, db);
    for (const { username: name, roles } of operators) console.log(`@${name}: ${roles.join(', ') || 'no roles'}`);
    console.log(operators.length === 0 ? 'No staff yet.' : '');
    console.log(USAGE);
    return;
  }
  const names = given === 'none' ? [] : (given ?? '').split(',');
  const roles = OPERATOR_ROLES.filter((role) => names.includes(role));
  if (given === undefined || roles.length !== names.length) throw new Error(USAGE);
  const ground = groundSchema.safeParse(values.reason ?? '');
  if (!ground.success) throw new Error(`--reason: ${ground.error.issues[0]?.message ?? 'Give a reason.'}`);
  await giveRoles({ clock: systemClock }, db, username, { roles, ground: ground.data });
  console.log(roles.length === 0 ? `@${username} has no roles anymore.` : `@${username}: ${roles.join(', ')}`);
});
