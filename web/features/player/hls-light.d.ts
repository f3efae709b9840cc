/** The light build of hls.js has no types of its own; it is the whole one without what we never use (DRM, alternate audio, subtitles). */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
