/**
 * The oldest supported browsers. The build compiles syntax and styles for them (vite.config.ts), and `npm test` checks
 * the build output including libraries (scripts/lib/browser-support.ts). docs/adr/0009 explains the choice.
 */
export const SUPPORTED_BROWSERS = {
  chrome: '111',
  edge: '111',
  firefox: '115',
  safari: '16.4',
  safari_ios: '16.4',
} as const;

export const BUILD_TARGET = [
  `chrome${SUPPORTED_BROWSERS.chrome}`,
  `edge${SUPPORTED_BROWSERS.edge}`,
  `firefox${SUPPORTED_BROWSERS.firefox}`,
  `safari${SUPPORTED_BROWSERS.safari}`,
  `ios${SUPPORTED_BROWSERS.safari_ios}`,
];

/**
 * Features that the oldest browsers lack but that are used anyway, with the reason why nothing breaks. Keys are the
 * names that the check reports. A star at the end matches a prefix.
 */
export const FEATURE_EXCEPTIONS: Readonly<Record<string, string>> = {
  // Checked for before use.
  'Uint8Array.fromBase64': 'js-base64 of the uploads asks for it, and does it by itself',
  'Error.captureStackTrace': 'zod asks for it',
  requestIdleCallback: 'platform/idle.ts asks for it, and waits by a timer',
  cancelIdleCallback: 'only where requestIdleCallback is',
  setImmediate: 'the scheduler asks for it, and takes a message channel',
  WebTransport: 'engine.io asks for it, and it is no transport of ours',
  '.createBidirectionalStream()': 'only of a WebTransport',
  ManagedMediaSource: 'hls.js asks for it, and takes MediaSource',
  '.checkVisibility()': 'the focus trap asks for it, and looks at the boxes',
  '.getAsFileSystemHandle()':
    'asked for (modules/content/drafts/file-handles.ts); without it files are chosen again after a reload',
  '.setAppBadge()': 'asked for (platform/pwa/start-pwa.ts): without it the icon shows no count',
  '.clearAppBadge()': 'only where setAppBadge is',
  '.requestPictureInPicture()':
    'asked for (modules/content/media/player/video-buttons.tsx): there is no button without it',
  '.exitPictureInPicture()': 'only while a picture is in one',
  '.startViewTransition()': 'React and the router, for transitions that nothing of ours asks for',
  '.skipTransition()': 'only of a view transition',
  'grid-template-rows: subgrid': 'of fields beside each other; without it each has rows of its own, and they end alike',
  // Used by livekit-client, which loads with calls through an SFU.
  '.enumerateDevices()': 'where Firefox names no speakers, the system chooses one',
  '.createDTMFSender()': 'detected; its adapter is for browsers below the floor, and no one dials here',
  '.requestVideoFrameCallback()': 'asked for; it waits for the data',
  '.setHeaderExtensionsToNegotiate()': 'asked for',
  RTCRtpScriptTransform: 'asked for; encryption between both ends, which nothing of ours turns on',
  '.createEncodedStreams()': 'asked for; the same',
  documentPictureInPicture: 'asked for; only of elements that are attached to its tracks, and ours are not',
  RTCErrorEvent: 'asked for',
  // Styles with a fallback.
  '@property': 'Tailwind gives the same starting values under @supports',
  ':has': 'choices show their own boxes without it (ui/styles/older.css); the rest is space and hover',
  ':popover-open':
    'without popovers what they hold stays closed (ui/styles/older.css): explanations and settings of the player',
  ':open': "within :is(), which forgives; Tailwind's third name for it",
  'field-sizing*': 'the field of chat grows by script (composer.tsx), others by their handle',
  'content-visibility*': 'only saves work',
  'contain-intrinsic-size': 'only with content-visibility',
  'overflow-anchor*': 'modules/messaging/chat holds the place by itself; Safari anchors nothing',
  'overscroll-behavior': 'the page behind may scroll along',
  // Visual details that may be missing.
  'text-wrap*': 'lines break where they break',
  'text-decoration: dotted': 'a plain underline',
  'font-family: ui-monospace': 'the next face of the list',
  'accent-color': 'the system’s colour',
  'forced-color-adjust*': 'where colours are forced they are so',
  'user-select': 'prefixed beside it',
  mask: 'prefixed beside it',
  'scrollbar-width*': 'the usual scrollbar',
  'resize*': 'no handle on a phone',
  'cursor: *': 'no pointer on a phone',
  ':selection': 'the system’s colour',
  ':-webkit-*': 'each engine has its own name for it',
  ':-moz-*': 'each engine has its own name for it',
};
