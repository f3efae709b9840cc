import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { countMissingFacts, writeFacts } from './facts.ts';
export { feesOf, setFees } from './fees.ts';
export { setPrices } from './prices.ts';

export const room = { ...manifest, register };
