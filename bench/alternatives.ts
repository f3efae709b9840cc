/**
 * Compares code of our own with the library or the means of PostgreSQL that could replace it. Less code is better, so
 * each part stays only while it meets the aim of its figure.
 */
import { measureFanOutAlternative } from './alternatives/fan-out.ts';
import { measureFeedAlternative } from './alternatives/feed.ts';
import { measurePageAlternatives } from './alternatives/pages.ts';
import { measureSearchAlternatives } from './alternatives/search.ts';
import type { BenchContext } from './harness/context.ts';
import type { BenchResult } from './harness/report.ts';

export async function measureAlternatives(context: BenchContext): Promise<BenchResult> {
  return {
    bench: 'alternatives',
    reading: 'CPU of our own code ÷ CPU of the library or of PostgreSQL’s own means. Less is better; 1 buys nothing.',
    figures: [
      ...(await measureFanOutAlternative(context)),
      ...(await measureFeedAlternative(context)),
      ...(await measurePageAlternatives(context)),
      ...(await measureSearchAlternatives(context)),
    ],
    notes: [],
  };
}
