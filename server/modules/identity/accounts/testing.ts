import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction } from '../../../platform/database/db.ts';
import { getSessionCookieName } from '../../../platform/http/http.ts';
import { hashPassword } from './passwords.ts';
import { createSession } from './sessions.ts';
import { updateUser } from './store.ts';
import { createAccount, type NewAccount } from './users.ts';

export { purgeFingerprints } from './account-fingerprints.ts';
export { unblockExpired } from './blocking.ts';
export { sendRequestedMail } from './mail-tokens.ts';

export type TestAccount = { id: string; username: string; email: string; password: string; cookie: string };
export type AccountOverrides = Partial<Omit<NewAccount, 'type' | 'passwordHash'>> & {
  password?: string;
  /** The default is true for operators. No secret is stored. */
  hasSecondFactor?: boolean;
};

const DEFAULT_PASSWORD = 'Curtain7!call';
/** Hashing is slow, so hashes are cached. */
const hashes = new Map<string, Promise<string>>();
let createdCount = 0;

function getPasswordHash(password: string): Promise<string> {
  const cachedHash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, cachedHash);
  return cachedHash;
}

async function createSessionCookie(ctx: Context, tx: DbTransaction, userId: string): Promise<string> {
  const { token } = await createSession(ctx, tx, userId, { device: 'Test', displayMode: 'browser' });
  return `${getSessionCookieName(ctx.config)}=${token}; loggedIn=true`;
}

/** Returns the value of a `cookie` header. */
export function createTestSession(ctx: Context, userId: string): Promise<string> {
  return ctx.db.transaction((tx) => createSessionCookie(ctx, tx, userId));
}

/** The account is verified unless overridden, and logged in. */
export async function createTestAccount(
  ctx: Context,
  type: UserType,
  overrides: AccountOverrides = {},
): Promise<TestAccount> {
  createdCount += 1;
  const { password = DEFAULT_PASSWORD, hasSecondFactor = type === 'operator', ...rest } = overrides;
  const username = rest.username ?? `${type}${String(createdCount).padStart(4, '0')}`;
  const email = rest.email ?? `${username}@example.com`;
  const passwordHash = await getPasswordHash(password);
  return ctx.db.transaction(async (tx) => {
    const roles = type === 'operator' ? (['owner'] as const) : [];
    const account = { isEmailVerified: true, roles, ...rest, type, username, email, passwordHash };
    const id = await createAccount(ctx, tx, account);
    if (hasSecondFactor) await updateUser(tx, id, { two_factor_enabled_at: ctx.clock.now() });
    return { id, username, email, password, cookie: await createSessionCookie(ctx, tx, id) };
  });
}

export async function listMailedLinks(ctx: Context, to: string, subject?: string): Promise<string[]> {
  let statement = ctx.db.query.selectFrom('development_mail').select('body').where('recipient', '=', to);
  if (subject !== undefined) statement = statement.where('subject', '=', subject);
  const mail = await statement.orderBy('id', 'desc').executeTakeFirst();
  return mail?.body.match(/https?:\/\/\S+/g) ?? [];
}

export async function getMailedToken(ctx: Context, to: string): Promise<string> {
  const [link] = await listMailedLinks(ctx, to);
  return new URL(link ?? 'http://none').searchParams.get('token') ?? '';
}

/** The code of the latest mail that contains one, for staff who set up two-factor authentication. */
export async function getMailedCode(ctx: Context, to: string): Promise<string> {
  const mails = ctx.db.query.selectFrom('development_mail').select('body').where('recipient', '=', to);
  const bodies = (await mails.orderBy('id', 'desc').execute()).map(({ body }) => body);
  const codes = bodies.flatMap((body) => /^[a-z0-9]{4}(?:-[a-z0-9]{4}){2}$/m.exec(body)?.[0] ?? []);
  return codes[0] ?? '';
}

export async function countMail(ctx: Context, to: string): Promise<number> {
  const rows = await ctx.db.query.selectFrom('development_mail').select('id').where('recipient', '=', to).execute();
  return rows.length;
}
