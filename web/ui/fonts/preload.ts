// The font files of the first paint, to be named in `<link rel="preload">`. Written by fonts/generate.mjs: change the generator, not this file.
export const fontPreloads = ['/fonts/archivo.a36b7c54.woff2', '/fonts/hanken.2e8c4326.woff2'] as const;
