import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { casesAround, casesCalled, casesOfThing, idOfCase } from './desk/around.ts';
export { knownCopies } from './desk/copies.ts';
export { decideBy as decideCase } from './desk/decide.ts';
export { countCopyright, countOpenCases, countRefunds } from './desk/list.ts';
export { openForPerson, openForPost } from './desk/open.ts';
export { lookAtPost } from './desk/thing.ts';
export { pass as passCase } from './desk/work.ts';

export const room = { ...manifest, register };
