/** Writes scripts/lib/vocabulary.json, as `npm test -- --update` does. `--list` prints the retired words that are left. */
import { formatOccurrences, writeRetiredWordCounts } from './lib/vocabulary.ts';

if (process.argv.includes('--list')) console.log(formatOccurrences());
else writeRetiredWordCounts();
