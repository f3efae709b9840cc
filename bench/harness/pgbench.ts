/** Runs pgbench, PostgreSQL's own load generator, which shows what the database can do without our code. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchPostgres } from './database.ts';
import type { LoadSample } from './rounds.ts';

const run = promisify(execFile);

export function findPgbench(): { path: string } | { missing: string } {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  const path = folders.map((folder) => join(folder, 'pgbench')).find((candidate) => existsSync(candidate));
  if (path) return { path };
  return {
    missing:
      'pgbench was not found: install it (Debian and Ubuntu: apt-get install postgresql; macOS: brew install postgresql). The figures that need it are left out.',
  };
}

export type Pgbench = {
  prepare(database: string, scale: number): Promise<void>;
  measure(
    database: string,
    script: string | 'tpcb',
    options: { clients: number; seconds: number },
  ): Promise<LoadSample>;
};

export function createPgbench(path: string, postgres: BenchPostgres, folder: string): Pgbench {
  const env = { PATH: '/usr/bin:/bin', PGHOST: postgres.socket, PGPORT: '5432', PGUSER: 'postgres', LC_ALL: 'C' };
  const files = new Map<string, string>();
  const getScriptFile = (script: string): string => {
    const file = files.get(script) ?? join(folder, `script-${files.size}.sql`);
    if (!files.has(script)) writeFileSync(file, script);
    files.set(script, file);
    return file;
  };
  return {
    prepare: async (database, scale) => {
      await run(path, ['-i', '-q', '-s', String(scale), database], { env, timeout: 300_000 });
    },
    measure: async (database, script, { clients, seconds }) => {
      const scriptArgs = script === 'tpcb' ? ['-b', 'tpcb-like'] : ['-f', getScriptFile(script)];
      const args = [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        '1',
        '-T',
        String(seconds),
        ...scriptArgs,
        database,
      ];
      const before = postgres.cpuMs();
      const { stdout } = await run(path, args, { env, timeout: (seconds + 60) * 1000 });
      const cpuMs = postgres.cpuMs() - before;
      const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
      const count = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
      const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
      if (!(count > 0) || failed > 0) throw new Error(`pgbench measured nothing usable:\n${stdout}`);
      const latency = Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]);
      return { rate, cpuMs: cpuMs / count, nodeMs: 0, p50Ms: latency, p99Ms: Number.NaN, count };
    },
  };
}
