/** Other modules call {@link whyClosed} before a creator sells or is paid. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { AGREEMENTS } from './agreement.ts';
export { decide as decideVerification } from './desk.ts';
export { verdictOf, whyClosed } from './standing.ts';
export { countSubmitted } from './store.ts';

export const room = { ...manifest, register };
