import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type MovedCall, type MovedCalls, movedCalls, registerMovedCalls } from './calls.ts';
export { callCost, type Names, namesOf, presentLines, saleHref, saleTitle, tipPlace } from './statement.ts';
export { guardTips } from './tips.ts';

export const room = { ...manifest, register };
