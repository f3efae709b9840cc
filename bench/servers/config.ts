/**
 * The configuration for measurements: production settings on loopback without rate limits, or with the product's own
 * limits and the client addresses that the load generator sends.
 */
import { type Config, readConfig } from '../../server/platform/config.ts';

export function createBenchConfig(databaseUrl: string, dataDir: string, isLimited = false): Config {
  return readConfig({
    NODE_ENV: 'production',
    PUBLIC_URL: 'http://127.0.0.1:4106',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '12',
    LOG_LEVEL: 'silent',
    SESSION_SECRET: 'a secret of the bench, thirty-two characters and more',
    CCBILL_SALT: 'bench-salt',
    CCBILL_WEBHOOK_SECRET: 'bench-webhook-secret',
    LEDGER_LOG_SIGNING_KEY: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    VAPID_PRIVATE_KEY: 'v'.repeat(43),
    SMTP_URL: 'smtp://127.0.0.1:9',
    CCBILL_ALLOWED_IPS: '127.0.0.1/32',
    ...(isLimited ? { TRUST_PROXY: '127.0.0.1' } : { RATE_LIMIT_FACTOR: '1000000' }),
  });
}
