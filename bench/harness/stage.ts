import type { BenchPostgres } from './database.ts';
import type { Options } from './options.ts';
import type { Result } from './report.ts';

export type Stage = {
  readonly options: Options;
  readonly postgres: BenchPostgres;
  readonly folder: string;
  tell(text: string): void;
};

export type Bench = (stage: Stage) => Promise<Result>;
