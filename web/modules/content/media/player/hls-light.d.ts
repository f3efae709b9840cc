/**
 * The light build of hls.js has no types of its own. It is the full build without DRM, alternate audio and subtitles.
 */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
