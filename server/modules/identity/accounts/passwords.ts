/**
 * Argon2id with OWASP's parameters (m = 19 MiB, t = 2, p = 1). Concurrency is limited so that many log-ins cannot
 * exhaust the memory.
 */
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { createConcurrencyLimit } from '../../../platform/limits/concurrency-limit.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Unknown names are verified against this hash, so that they take as long as known ones. */
const UNKNOWN_USER_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$dwMjrLRTy9nhH1IK81f6Eg$0gpDFVpSZQd4RxmW5WfKAPJywLLnCc2lrN1ohYYjfk4';

/** Node's four worker threads also serve files. The queue is about two seconds of work. */
const hashing = createConcurrencyLimit({
  max: 2,
  maxWaiting: 100,
  createError: () => new AppError('RATE_LIMITED', { retryAfterSeconds: 5 }),
});

/** Throws RATE_LIMITED when too many requests wait. */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password, PARAMETERS));
}

/** Without `stored` it does the same work and returns false. Throws RATE_LIMITED when too many requests wait. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await hashing.run(() => verify(stored ?? UNKNOWN_USER_HASH, password));
  return isRight && stored !== undefined;
}
