/** Writes scripts/lib/retired-words.json, as `npm test -- --update` does. */
import { writeCounts } from './lib/vocabulary.ts';

writeCounts();
