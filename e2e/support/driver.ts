/** The interface of a driver for browser engines other than Chromium. */

export const PHONE = { width: 390, height: 844 };

export type DriverElement = {
  /** Clicks the element's position, so an overlapping element makes the click fail. */
  click: () => Promise<void>;
  type: (text: string) => Promise<void>;
  property: (name: string) => Promise<unknown>;
};

export type Driver = {
  goto: (address: string) => Promise<void>;
  url: () => Promise<string>;
  /** The first visible element that matches the selector and whose accessible name is wanted. */
  find: (selector: string, isWanted: (name: string) => boolean) => Promise<DriverElement | undefined>;
  evaluate: (expression: string) => Promise<unknown>;
  screenshot: () => Promise<Buffer>;
  end: () => Promise<void>;
};
