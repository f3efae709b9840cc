/** Settings, read from the environment once, validated and frozen. The README documents them. */
import { createECDH, createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { listSecretProblems } from './config-secrets.ts';
import { createDataFolder } from './postgres/data-folder.ts';

const flag = z.stringbool({ truthy: ['1', 'true', 'yes', 'on'], falsy: ['0', 'false', 'no', 'off', ''] });
const port = z.coerce.number().int().min(0).max(65_535);
const usdCents = (fallback: number) =>
  z.coerce
    .number()
    .positive()
    .transform((usd) => Math.round(usd * 100))
    .default(fallback);
const optionalUrl = (pattern: RegExp) => z.string().regex(pattern).optional();

const SANDBOX_ACCOUNT = '999999';
const MINUTE_MS = 60_000;

function isPrivateKey(text: string): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(text, 'base64url');
    return true;
  } catch {
    return false;
  }
}

const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  STAGEDOOR_DEV: flag.default(false),
  PORT: port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  /** The public origin, default http://localhost:PORT. Decides Secure cookies, links in mails and allowed origins. */
  PUBLIC_URL: optionalUrl(/^https?:\/\/[^/]+$/),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: optionalUrl(/^postgres(?:ql)?:\/\//),
  /** The same database for the role that owns it. Used only for migrations. */
  DATABASE_OWNER_URL: optionalUrl(/^postgres(?:ql)?:\/\//),
  /** The relay, jobs and presence use some of these. Requests wait for each other when fewer than ten remain. */
  DATABASE_POOL: z.coerce.number().int().min(12).max(200).default(20),
  REDIS_URL: optionalUrl(/^rediss?:\/\//),
  SCANNER_URL: optionalUrl(/^tcp:\/\/[^/]+:\d{1,5}$/),
  PROCESS_ROLE: z.enum(['web', 'worker', 'both']).default('both'),
  TRUST_PROXY: z.string().default(''),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SESSION_SECRET: z.string().min(32).optional(),
  /** Signs the ledger log: the 32 bytes of an Ed25519 key in hex. */
  LEDGER_LOG_SIGNING_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** Identifies us to push services (RFC 8292): the 32 bytes of a P-256 key in base64url. */
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .refine(isPrivateKey)
    .optional(),
  /** A replay begins this long before the last message that a client knows. Covers differences between clocks. */
  REPLAY_OVERLAP_MS: z.coerce.number().int().min(500).default(10_000),
  PUSH_ALLOWED_ORIGINS: z.string().default(''),
  /** A push service that takes longer to respond counts as silent. A stopping server waits 15 s for running jobs. */
  PUSH_TIMEOUT_MS: z.coerce.number().int().min(100).max(10_000).default(5_000),
  /**
   * Legacy Safari website push: its id, and PEM files with the certificate (followed by Apple's intermediate) and its
   * key.
   */
  SAFARI_PUSH_ID: optionalUrl(/^web\.[A-Za-z0-9.-]+$/),
  SAFARI_PUSH_CERTIFICATE: z.string().default(''),
  SAFARI_PUSH_KEY: z.string().default(''),
  APNS_URL: optionalUrl(/^https:\/\/[^/]+$/),
  LEDGER_LOG_PREVIOUS_KEYS: z.string().default(''),
  SMTP_URL: optionalUrl(/^smtps?:\/\//),
  MAIL_FROM: z.string().default('Stagedoor <hello@stagedoor.example>'),
  STORAGE_DRIVER: z.enum(['local', 's3']).default('local'),
  S3_ENDPOINT: optionalUrl(/^https?:\/\//),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().default('stagedoor'),
  S3_ACCESS_KEY_ID: z.string().default(''),
  S3_SECRET_ACCESS_KEY: z.string().default(''),
  /** Processes videos and needs ffprobe in the same folder. Without it, pictures still work. */
  FFMPEG_PATH: z.string().min(1).default('ffmpeg'),
  GEO_DATABASE: z.string().default(''),
  RATE_LIMIT_FACTOR: z.coerce.number().positive().max(1_000_000).default(1),
  CALLS_PROVIDER: z.enum(['webrtc', 'livekit']).default('webrtc'),
  /** Whether calls hide the addresses of both sides. On by default in production. */
  CALLS_RELAY_ONLY: flag.optional(),
  /** How many calls of a fan with one creator may end free on a UTC day. */
  CALLS_FREE_PER_DAY: z.coerce.number().int().min(1).max(1_000).default(3),
  /** Addresses of the TURN relay (turn:, turns:), comma-separated, and its shared secret. */
  TURN_URLS: z.string().default(''),
  TURN_SECRET: z.string().default(''),
  COTURN_CLI: optionalUrl(/^[^:/\s]+:\d{1,5}$/),
  COTURN_CLI_PASSWORD: z.string().default(''),
  LIVEKIT_URL: optionalUrl(/^wss?:\/\//),
  LIVEKIT_API_KEY: z.string().default(''),
  LIVEKIT_API_SECRET: z.string().default(''),
  CHAT_FAN_NOTES: flag.default(false),
  UNVERIFIED_PUBLIC_POSTS: flag.default(false),
  /** Whether pages with protected media hinder saving and developer tools. On by default in production. */
  CONTENT_PROTECTION: flag.optional(),
  /** Idle timeout and lifetime of operator sessions, and validity of a step-up authentication. */
  OPERATOR_IDLE_MINUTES: z.coerce.number().int().min(1).max(43_200).default(30),
  OPERATOR_SESSION_HOURS: z.coerce.number().int().min(1).max(2_160).default(12),
  ADMIN_STEP_UP_MINUTES: z.coerce.number().int().min(1).max(129_600).default(15),
  METRICS_TOKEN: z.string().min(16).optional(),
  SEED_DEMO: flag.optional(),
  PAYMENT_SANDBOX: flag.optional(),
  CCBILL_ACCOUNT: z
    .string()
    .regex(/^\d{6}$/)
    .default(SANDBOX_ACCOUNT),
  CCBILL_SUBACCOUNT: z
    .string()
    .regex(/^\d{4}$/)
    .default('0000'),
  CCBILL_FLEX_ID: z.string().min(1).default('00000000-0000-0000-0000-000000000000'),
  CCBILL_SALT: z.string().min(1).optional(),
  CCBILL_WEBHOOK_SECRET: z.string().min(16).optional(),
  CCBILL_URL: optionalUrl(/^https?:\/\//),
  CCBILL_DATALINK_URL: optionalUrl(/^https?:\/\//),
  CCBILL_DATALINK_USERNAME: z.string().default(''),
  CCBILL_DATALINK_PASSWORD: z.string().default(''),
  CCBILL_SUBSCRIPTIONS: flag.optional(),
  CCBILL_DESCRIPTOR: z.string().trim().min(1).max(40).default('CCBill.com'),
  CCBILL_MIN_USD: usdCents(295),
  CCBILL_MAX_USD: usdCents(100_000),
  PAYPAL_CLIENT_ID: z.string().default(''),
  PAYPAL_CLIENT_SECRET: z.string().default(''),
  PAYPAL_URL: optionalUrl(/^https?:\/\//),
  PAYPAL_WEBHOOK_ID: z.string().default(''),
  ACH_BANK: z
    .string()
    .regex(/^\d{9}$/)
    .optional(),
  ACH_BANK_NAME: z.string().max(23).default(''),
  ACH_ORIGIN: z.string().max(10).default(''),
  ACH_COMPANY: z.string().max(23).default('Stagedoor'),
  ACH_COMPANY_ID: z.string().max(10).default(''),
  CCBILL_ALLOWED_IPS: z.string().default('64.38.212.0/24,64.38.215.0/24,64.38.240.0/24,64.38.241.0/24'),
});

type Environment = z.output<typeof environment>;

const getPublicUrl = (e: Environment) => e.PUBLIC_URL ?? `http://localhost:${e.PORT}`;

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Returns a secret from the data folder, generated on the first start. Production must set its own. */
function readOrCreateSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, 'secrets', name);
  if (!existsSync(file)) {
    createDataFolder(dataDir);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'), {
      mode: 0o600,
      flag: 'wx',
    });
  }
  return readFileSync(file, 'utf8');
}

const hexToBase64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

export function listConfigWarnings(config: Config): string[] {
  if (!config.isProduction) return [];
  const { payments, calls } = config;
  const warnings: [boolean, string][] = [
    [
      config.smtpUrl === undefined,
      'SMTP_URL is not set: emails can’t be sent, so no one can sign up or reset a password',
    ],
    [!config.isSecure, 'PUBLIC_URL is not https: cookies are sent unencrypted'],
    [
      !payments.isSandbox && payments.account === SANDBOX_ACCOUNT,
      'CCBILL_ACCOUNT is not set: CCBill will refuse every payment',
    ],
    [
      !payments.isSandbox && payments.dataLink === undefined,
      'CCBILL_DATALINK_USERNAME and CCBILL_DATALINK_PASSWORD are not set: payments are not reconciled daily',
    ],
    [
      payments.hasSubscriptions && payments.dataLink === undefined,
      'CCBILL_SUBSCRIPTIONS is on without DataLink: cards can’t pay subscriptions',
    ],
    [calls.provider === 'webrtc' && calls.turn === undefined, 'TURN_URLS is not set: calls may fail behind NAT'],
    [
      calls.provider === 'webrtc' && calls.turn !== undefined && calls.turn.cli === undefined,
      'COTURN_CLI is not set: the relay keeps a connection after a call has ended, until both browsers close it',
    ],
    [payments.isSandbox, 'PAYMENT_SANDBOX is on: payments are in test mode, and anyone can add funds without paying'],
  ];
  return warnings.filter(([applies]) => applies).map(([, message]) => message);
}

function toCallsConfig(e: Environment, isProduction: boolean) {
  const urls = e.TURN_URLS.split(',').flatMap((url) => url.trim() || []);
  const [host = '', port = ''] = e.COTURN_CLI?.split(':') ?? [];
  const turn = urls.length > 0 && {
    urls,
    secret: e.TURN_SECRET,
    cli: e.COTURN_CLI ? { host, port: Number(port), password: e.COTURN_CLI_PASSWORD } : undefined,
  };
  const livekit = { url: e.LIVEKIT_URL ?? '', apiKey: e.LIVEKIT_API_KEY, apiSecret: e.LIVEKIT_API_SECRET };
  return {
    provider: e.CALLS_PROVIDER,
    turn: turn || undefined,
    freePerDay: e.CALLS_FREE_PER_DAY,
    /** Without a relay, browsers connect directly only in development. */
    isRelayOnly: e.CALLS_RELAY_ONLY ?? (isProduction || turn !== false),
    livekit,
  };
}

function listCallsProblems({ provider, turn, livekit }: ReturnType<typeof toCallsConfig>): string[] {
  const problems: [boolean, string][] = [
    [
      provider === 'livekit' && Object.values(livekit).includes(''),
      'CALLS_PROVIDER=livekit requires LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET',
    ],
    [turn?.secret === '', 'TURN_URLS: requires TURN_SECRET'],
  ];
  return problems.filter(([applies]) => applies).map(([, problem]) => problem);
}

function toPayoutsConfig(e: Environment, isProduction: boolean) {
  const { ACH_BANK: bank, ACH_ORIGIN: origin, ACH_COMPANY: company } = e;
  const ach = bank !== undefined && {
    destination: bank,
    destinationName: e.ACH_BANK_NAME,
    origin: origin || bank,
    originName: company,
    companyName: company,
    companyId: e.ACH_COMPANY_ID || `1${bank}`,
    odfi: bank.slice(0, 8),
  };
  const url = e.PAYPAL_URL ?? `https://api-m${isProduction ? '' : '.sandbox'}.paypal.com`;
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = e;
  const payPal = clientId !== '' && clientSecret !== '' && { url, clientId, clientSecret, webhookId };
  return { ach: ach || undefined, payPal: payPal || undefined };
}

const APNS = 'https://api.push.apple.com';

function readSafariConfig(e: Environment) {
  const { SAFARI_PUSH_ID: id, SAFARI_PUSH_CERTIFICATE: certificate, SAFARI_PUSH_KEY: key } = e;
  if (id === undefined) return undefined;
  const read = (file: string) => readFileSync(file, 'utf8');
  return { id, certificates: read(certificate), key: read(key), apns: e.APNS_URL ?? APNS };
}

function listSafariProblems(e: Environment): string[] {
  if (e.SAFARI_PUSH_ID === undefined) return [];
  const { SAFARI_PUSH_CERTIFICATE, SAFARI_PUSH_KEY } = e;
  return [
    ...(getPublicUrl(e).startsWith('https:') ? [] : ['SAFARI_PUSH_ID: requires an https PUBLIC_URL']),
    ...Object.entries({ SAFARI_PUSH_CERTIFICATE, SAFARI_PUSH_KEY }).flatMap(([variable, file]) => {
      if (file === '') return [`SAFARI_PUSH_ID: requires ${variable}`];
      return existsSync(file) ? [] : [`${variable}: file not found`];
    }),
  ];
}

function listConflicts(e: Environment): string[] {
  return [
    ...(e.DATABASE_OWNER_URL && !e.DATABASE_URL ? ['DATABASE_OWNER_URL: requires DATABASE_URL'] : []),
    ...listCallsProblems(toCallsConfig(e, e.NODE_ENV === 'production')),
    ...listSafariProblems(e),
  ];
}

function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(set);
  const issues = parsed.error?.issues ?? [];
  const invalid = new Set(issues.map((issue) => issue.path.join('.')));
  const problems = [
    ...issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...(set.NODE_ENV === 'production' ? listSecretProblems(set, invalid) : []),
    ...(parsed.success ? listConflicts(parsed.data) : []),
  ];
  if (!parsed.success || problems.length > 0) throw new Error(`Invalid configuration:\n  ${problems.join('\n  ')}`);
  return parsed.data;
}

/** An empty variable counts as not set. Throws one Error that lists all problems by variable name, never with values. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const e = parseEnvironment(env);
  const isProduction = e.NODE_ENV === 'production';
  const calls = toCallsConfig(e, isProduction);
  const dataDir = path.resolve(e.DATA_DIR);
  const secret = (value: string | undefined, name: string): string => value ?? readOrCreateSecret(dataDir, name);
  const isSandbox = e.PAYMENT_SANDBOX ?? !isProduction;
  const publicUrl = getPublicUrl(e);
  const sessionSecret = secret(e.SESSION_SECRET, 'session');
  const safari = readSafariConfig(e);
  return Object.freeze({
    isProduction,
    isTest: e.NODE_ENV === 'test',
    isDevelopment: !isProduction,
    isHotReload: e.STAGEDOOR_DEV && !isProduction,
    port: e.PORT,
    host: e.HOST,
    publicUrl,
    isSecure: publicUrl.startsWith('https:'),
    dataDir,
    databaseUrl: e.DATABASE_URL,
    databaseOwnerUrl: e.DATABASE_OWNER_URL ?? e.DATABASE_URL,
    databasePool: e.DATABASE_POOL,
    redisUrl: e.REDIS_URL,
    scannerUrl: e.SCANNER_URL,
    role: e.PROCESS_ROLE,
    trustProxy: e.TRUST_PROXY === '' ? false : e.TRUST_PROXY.split(',').map((part) => part.trim()),
    logLevel: e.LOG_LEVEL,
    sessionSecret,
    deriveKey: (purpose: string): Buffer => createHash('sha256').update(`${purpose}\n${sessionSecret}`).digest(),
    ledgerLogSigningKey: secret(e.LEDGER_LOG_SIGNING_KEY, 'log-signing-key'),
    push: {
      privateKey: e.VAPID_PRIVATE_KEY ?? hexToBase64url(secret(undefined, 'vapid')),
      allowedOrigins: e.PUSH_ALLOWED_ORIGINS.split(',').flatMap((origin) => origin.trim() || []),
      timeoutMs: e.PUSH_TIMEOUT_MS,
      safari,
    },
    ledgerLogPreviousKeys:
      e.LEDGER_LOG_PREVIOUS_KEYS === '' ? [] : e.LEDGER_LOG_PREVIOUS_KEYS.split(',').map((key) => key.trim()),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    storage:
      e.STORAGE_DRIVER === 's3'
        ? {
            kind: 's3' as const,
            endpoint: e.S3_ENDPOINT,
            region: e.S3_REGION,
            bucket: e.S3_BUCKET,
            accessKeyId: e.S3_ACCESS_KEY_ID,
            secretAccessKey: e.S3_SECRET_ACCESS_KEY,
          }
        : { kind: 'local' as const, dir: path.join(dataDir, 'media') },
    ffmpegPath: e.FFMPEG_PATH,
    geoDatabase: e.GEO_DATABASE,
    programPath: env.PATH ?? process.env.PATH ?? '',
    rateFactor: e.RATE_LIMIT_FACTOR,
    replayOverlapMs: e.REPLAY_OVERLAP_MS,
    hasContentProtection: e.CONTENT_PROTECTION ?? isProduction,
    hasFanNotes: e.CHAT_FAN_NOTES,
    hasUnverifiedPosts: e.UNVERIFIED_PUBLIC_POSTS,
    metricsToken: e.METRICS_TOKEN,
    operatorSessions: {
      idleMs: e.OPERATOR_IDLE_MINUTES * MINUTE_MS,
      lifetimeMs: e.OPERATOR_SESSION_HOURS * 60 * MINUTE_MS,
      stepUpMs: e.ADMIN_STEP_UP_MINUTES * MINUTE_MS,
    },
    calls,
    shouldSeedDemo: e.SEED_DEMO ?? e.NODE_ENV === 'development',
    payouts: toPayoutsConfig(e, isProduction),
    payments: {
      isSandbox,
      account: e.CCBILL_ACCOUNT,
      subaccount: e.CCBILL_SUBACCOUNT,
      flexId: e.CCBILL_FLEX_ID,
      salt: secret(e.CCBILL_SALT, 'ccbill-salt'),
      webhookSecret: secret(e.CCBILL_WEBHOOK_SECRET, 'ccbill-webhook'),
      url: e.CCBILL_URL ?? (isSandbox ? `${publicUrl}/sandbox/ccbill` : 'https://api.ccbill.com'),
      /** Undefined until the credentials are set. The sandbox has its own. */
      dataLink: isSandbox
        ? {
            url: e.CCBILL_DATALINK_URL ?? `http://127.0.0.1:${e.PORT}/sandbox/ccbill`,
            username: 'sandbox',
            password: createHash('sha256').update(`sandbox datalink\n${sessionSecret}`).digest('hex'),
          }
        : e.CCBILL_DATALINK_USERNAME !== '' && e.CCBILL_DATALINK_PASSWORD !== ''
          ? {
              url: e.CCBILL_DATALINK_URL ?? 'https://datalink.ccbill.com',
              username: e.CCBILL_DATALINK_USERNAME,
              password: e.CCBILL_DATALINK_PASSWORD,
            }
          : undefined,
      /** Whether cards can pay subscriptions. Their renewals also need DataLink, which confirms and cancels them. */
      hasSubscriptions: e.CCBILL_SUBSCRIPTIONS ?? isSandbox,
      descriptor: e.CCBILL_DESCRIPTOR,
      minCents: e.CCBILL_MIN_USD,
      maxCents: e.CCBILL_MAX_USD,
      allowedAddresses: e.CCBILL_ALLOWED_IPS.split(',').map((range) => range.trim()),
    },
  });
}
