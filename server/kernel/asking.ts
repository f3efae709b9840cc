/** Who makes the present request, and from where: for what stands far below it (db.ts, security-log.ts). */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Asking = {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly network: string;
  /** Has a connection of the database in hand (shares.ts). */
  readonly isServed?: boolean;
};

const current = new AsyncLocalStorage<Asking | undefined>();

/** Nobody, outside of requests. */
export function whoAsks(): Asking | undefined {
  return current.getStore();
}

/** Does what somebody asks for; or, without one, what a request brings about and does not wait for. */
export function askedBy<T>(who: Asking | undefined, work: () => T): T {
  return current.run(who, work);
}
