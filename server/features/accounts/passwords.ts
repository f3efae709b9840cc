/** Passwords: argon2id with OWASP's parameters (m = 19 MiB, t = 2, p = 1), a few at a time, so that no flood of log-ins can take the memory. */
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { createTurns } from '../../kernel/turns.ts';

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** What unknown names are checked against, so that they take as long as known ones. Its password is random and forgotten. */
const NOBODY = '$argon2id$v=19$m=19456,t=2,p=1$dwMjrLRTy9nhH1IK81f6Eg$0gpDFVpSZQd4RxmW5WfKAPJywLLnCc2lrN1ohYYjfk4';

/** At once: node's four threads also serve files. In line: about two seconds of work. */
const AT_ONCE = 2;
const IN_LINE = 100;
const RETRY_AFTER_SECONDS = 5;

const inTurn = createTurns({
  atOnce: AT_ONCE,
  waiting: IN_LINE,
  refusal: () => new AppError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS }),
});

/** The hash to store. Throws RATE_LIMITED when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, PARAMETERS));
}

/** Whether `password` is the one of `stored`; without `stored` no, after the same work. Throws RATE_LIMITED when too many wait. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(stored ?? NOBODY, password));
  return isRight && stored !== undefined;
}
