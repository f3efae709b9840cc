/** What a way of driving another engine than Chromium must be able to do. */

export const PHONE = { width: 390, height: 844 };

export type Handle = {
  /** Presses where it lies, as a finger does: what lies over it fails the press. */
  click: () => Promise<void>;
  type: (text: string) => Promise<void>;
  property: (name: string) => Promise<unknown>;
};

export type Driver = {
  goto: (address: string) => Promise<void>;
  url: () => Promise<string>;
  /** The first element of a kind that is shown and whose accessible name is wanted. */
  find: (selector: string, isWanted: (name: string) => boolean) => Promise<Handle | undefined>;
  /** Evaluates an expression on the page. */
  ask: (expression: string) => Promise<unknown>;
  screenshot: () => Promise<Buffer>;
  end: () => Promise<void>;
};
