/** Writes scripts/lib/retired-words.json, as `npm test -- --update` does. */
import { writeRetiredWordCounts } from './lib/vocabulary.ts';

writeRetiredWordCounts();
