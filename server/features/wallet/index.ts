/** The wallet: a fan's view of their money, and tips. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

/** Which call a movement was of: said by calls. */
export { type MovedCall, type MovedCalls, movedCalls, registerMovedCalls } from './calls.ts';
/** A sale in words, as both of its sides read them. */
export { callCost, type Names, namesOf, presentLines, saleHref, saleTitle, tipPlace } from './statement.ts';
export { guardTips } from './tips.ts';

export const room = { ...manifest, register };
