import * as texts from './texts.ts';
/** Shown wherever a blocked account is detected (row A12). */
export const BLOCKED_MESSAGE = texts.blockedAccountMessage;
