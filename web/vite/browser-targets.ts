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
  'Uint8Array.fromBase64': 'js-base64 (uploads) checks for it and has its own code',
  'Error.captureStackTrace': 'zod checks for it',
  requestIdleCallback: 'platform/idle.ts checks for it and uses a timer',
  cancelIdleCallback: 'called only if requestIdleCallback exists',
  setImmediate: 'React’s scheduler checks for it and uses a message channel',
  WebTransport: 'engine.io checks for it; we do not use this transport',
  '.createBidirectionalStream()': 'called only on a WebTransport',
  ManagedMediaSource: 'hls.js checks for it and uses MediaSource',
  '.checkVisibility()': 'the focus trap checks for it and measures boxes',
  '.getAsFileSystemHandle()':
    'checked for (modules/content/drafts/file-handles.ts); without it, users choose files again after a reload',
  '.setAppBadge()': 'checked for (platform/pwa/start-pwa.ts); without it, the icon shows no count',
  '.clearAppBadge()': 'called only if setAppBadge exists',
  '.requestPictureInPicture()':
    'checked for (modules/content/media/player/video-buttons.tsx); without it, there is no button',
  '.exitPictureInPicture()': 'called only while a video is in picture-in-picture',
  '.startViewTransition()': 'in React and the router, for transitions that we do not use',
  '.skipTransition()': 'called only on a view transition',
  'grid-template-rows: subgrid': 'aligns fields side by side; without it, each has its own rows',
  // Used by livekit-client, which loads with calls through an SFU.
  '.enumerateDevices()': 'if Firefox lists no speakers, the system chooses one',
  '.createDTMFSender()': 'checked for; we do not dial',
  '.requestVideoFrameCallback()': 'checked for; without it, livekit waits for data',
  '.setHeaderExtensionsToNegotiate()': 'checked for',
  RTCRtpScriptTransform: 'checked for; end-to-end encryption, which we do not use',
  '.createEncodedStreams()': 'checked for; end-to-end encryption, which we do not use',
  documentPictureInPicture: 'checked for; only for elements that livekit attaches, which we do not use',
  RTCErrorEvent: 'checked for',
  // Styles with a fallback.
  '@property': 'Tailwind sets the same initial values under @supports',
  ':has': 'without it, choices show native boxes (ui/styles/older.css); the rest is spacing and hover',
  ':popover-open':
    'without popovers their content stays hidden (ui/styles/older.css): explanations and player settings',
  ':open': 'within :is(), which ignores unknown selectors',
  'field-sizing*': 'the chat composer grows by script (composer.tsx), other fields by their handle',
  'content-visibility*': 'only saves rendering work',
  'contain-intrinsic-size': 'only with content-visibility',
  'overflow-anchor*': 'modules/messaging/chat keeps the scroll position itself, because Safari does not',
  'overscroll-behavior': 'the page behind may scroll along',
  // Visual details that may be missing.
  'text-wrap*': 'lines break less evenly',
  'text-decoration: dotted': 'a plain underline',
  'font-family: ui-monospace': 'the next font in the list',
  'accent-color': 'the system color',
  'forced-color-adjust*': 'forced colors stay on',
  'user-select': 'also written with a prefix',
  mask: 'also written with a prefix',
  'scrollbar-width*': 'the usual scrollbar',
  'resize*': 'phones have no resize handle',
  'cursor: *': 'phones have no pointer',
  ':selection': 'the system color',
  ':-webkit-*': 'each engine has its own prefix',
  ':-moz-*': 'each engine has its own prefix',
};
