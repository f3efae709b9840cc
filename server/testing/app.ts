/** An app with its own database, clock and data folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { type App, createApp } from '../app.ts';
import { AGREEMENT_VERSION, MAKE_ELIGIBLE_SQL } from '../modules/compliance/verification/eligibility.testing.ts';
import {
  type AccountOverrides,
  createTestAccount,
  createTestSession,
  type TestAccount,
} from '../modules/identity/accounts/testing.ts';
import { createTestClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { type Database, openDatabase } from '../platform/database/db.ts';
import { createLogger } from '../platform/log.ts';
import type { Actor } from '../platform/security/session.ts';
import { createTestDatabase } from './database.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Inject = (
  method: HttpMethod,
  url: string,
  body?: InjectOptions['payload'],
  headers?: Record<string, string>,
) => Promise<LightMyRequestResponse>;
export type TestUser = TestAccount & { readonly inject: Inject };

/** Creators can sell, unless `isUnverified` is set. `makeVerified` verifies those. */
export type SignUpOptions = AccountOverrides & { isUnverified?: boolean };

export type TestApp = {
  readonly app: App;
  readonly ctx: Context;
  readonly databaseUrl: string;
  readonly owner: Database;
  readonly clock: ReturnType<typeof createTestClock>;
  readonly inject: Inject;
  signUp(type: UserType, overrides?: SignUpOptions): Promise<TestUser>;
  logIn(user: TestAccount): Promise<TestUser>;
  close(): Promise<void>;
};

export type TestAppOptions = {
  env?: Record<string, string>;
  now?: Date;
  hasPages?: boolean;
};

const ENV = { NODE_ENV: 'test', LOG_LEVEL: 'silent', RATE_LIMIT_FACTOR: '1000000', DATABASE_POOL: '12' };
export const PRODUCTION_ENV = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://stagedoor.example',
  SESSION_SECRET: 'q7RnV2xLk9TzWb4Hs8YfMd3JcPg6Ae5U',
  CCBILL_SALT: 'salt-of-the-account',
  CCBILL_WEBHOOK_SECRET: 'Zt4nKq8vRb2mXw7c',
  LEDGER_LOG_SIGNING_KEY: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  VAPID_PRIVATE_KEY: 'v'.repeat(43),
};
const LONG_SESSIONS = {
  OPERATOR_IDLE_MINUTES: '43200',
  OPERATOR_SESSION_HOURS: '2160',
  ADMIN_STEP_UP_MINUTES: '129600',
};

function createInject(app: App, cookie?: string): Inject {
  return (method, url, body, headers = {}) =>
    app.http.inject({
      method,
      url,
      ...(body === undefined ? {} : { payload: body }),
      headers: { ...(cookie === undefined ? {} : { cookie }), ...headers },
    });
}

/** Returns the actor of the user's session. */
export async function getActor({ ctx }: Pick<TestApp, 'ctx'>, { cookie }: Pick<TestAccount, 'cookie'>): Promise<Actor> {
  const actor = await ctx.sessions.resolve(/=([^;]+)/.exec(cookie)?.[1]);
  if (!actor) throw new Error('the user has no session');
  return actor;
}

/** `ctx.events.waitUntilIdle()` delivers pending events. Jobs are not started. Close it in `afterAll`. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stagedoor-test-'));
  const database = await createTestDatabase();
  const config = readConfig({
    ...ENV,
    ...LONG_SESSIONS,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    ...options.env,
  });
  const clock = createTestClock(options.now ?? new Date(Math.floor(Date.now() / 1000) * 1000));
  const log = createLogger({ level: config.logLevel, isPretty: false });
  const app = await createApp({ config, databaseUrl: database.url, log, clock, hasPages: options.hasPages ?? false });
  let owner: Database | undefined;
  return {
    app,
    ctx: app.ctx,
    databaseUrl: database.url,
    get owner() {
      owner ??= openDatabase(database.ownerUrl, { maxConnections: 2 });
      return owner;
    },
    clock,
    inject: createInject(app),
    signUp: async (type, { isUnverified = false, ...overrides } = {}) => {
      const account = await createTestAccount(app.ctx, type, overrides);
      if (type === 'creator' && !isUnverified)
        await app.ctx.db.run({ name: 'testing-allow-selling', text: MAKE_ELIGIBLE_SQL }, [
          account.id,
          AGREEMENT_VERSION,
        ]);
      return { ...account, inject: createInject(app, account.cookie) };
    },
    logIn: async (user) => {
      const cookie = await createTestSession(app.ctx, user.id);
      return { ...user, cookie, inject: createInject(app, cookie) };
    },
    close: async () => {
      await app.close();
      await owner?.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
