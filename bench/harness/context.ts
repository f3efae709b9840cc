import type { BenchPostgres } from './database.ts';
import type { BenchOptions } from './options.ts';
import type { BenchResult } from './report.ts';

export type BenchContext = {
  readonly options: BenchOptions;
  readonly postgres: BenchPostgres;
  readonly folder: string;
  logProgress(text: string): void;
};

export type BenchFunction = (context: BenchContext) => Promise<BenchResult>;
