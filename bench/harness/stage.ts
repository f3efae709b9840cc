/** What a bench is, and what it is handed. */
import type { BenchPostgres } from './database.ts';
import type { Options } from './options.ts';
import type { Result } from './report.ts';

export type Stage = {
  readonly options: Options;
  readonly postgres: BenchPostgres;
  /** A folder of the run's own; goes when it ends. */
  readonly folder: string;
  /** Progress, for whoever waits. */
  tell(text: string): void;
};

export type Bench = (stage: Stage) => Promise<Result>;
