import { expect, vi } from 'vitest';
import type { TestApp } from './app.ts';

/** Waits until at least `count` queries of the app's database wait for a lock. */
export async function waitForBlockedQueries({ owner }: Pick<TestApp, 'owner'>, count = 1): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rowCount } = await owner.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBeGreaterThanOrEqual(count);
    },
    { timeout: 20_000, interval: 20 },
  );
}
