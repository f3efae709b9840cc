/** Statements to keep. Above the wallet, whose words for a movement they use. Pictures are lettered by its faces. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

/** @public How words of any script are lettered where there are no fonts but ours. */
export { asDrawn, graphemesOf, loadFace, type Run, runsOf, type Weight } from './faces.ts';

export const room = { ...manifest, register };
