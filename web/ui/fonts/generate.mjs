// Subsets the fonts and writes the files, their @font-face rules and the preload list. Display fonts of creator themes
// are separate, because only pages with such a theme need their rules. Run `node web/ui/fonts/generate.mjs` after
// changing an axis, a feature or a character set.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import subsetFont from 'subset-font';

const here = new URL('./', import.meta.url);
const output = new URL('../../public/fonts/', here);

const latin = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131],
  [0x152, 0x153],
  [0x2bc],
  [0x2c6],
  [0x2da],
  [0x2dc],
  [0x2013, 0x2014],
  [0x2018, 0x201a],
  [0x201c, 0x201e],
  [0x2020, 0x2022],
  [0x2026],
  [0x2030],
  [0x2032, 0x2033],
  [0x2039, 0x203a],
  [0x2044],
  [0x20ac],
  [0x2122],
  [0x2190, 0x2193],
  [0x2212],
  [0x2215],
  [0x2713],
];
const extended = [
  [0x100, 0x101],
  [0x104, 0x10f],
  [0x112, 0x127],
  [0x12a, 0x130],
  [0x132, 0x151],
  [0x154, 0x167],
  [0x16a, 0x19f],
  [0x1a2, 0x1ae],
  [0x1b1, 0x2bb],
  [0x1e00, 0x1e9f],
];
const vietnamese = [
  [0x102, 0x103],
  [0x110, 0x111],
  [0x128, 0x129],
  [0x168, 0x169],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x300, 0x301],
  [0x303, 0x304],
  [0x308, 0x309],
  [0x323],
  [0x329],
  [0x1ea0, 0x1ef9],
  [0x20ab],
];
const sets = { '': latin, '-ext': extended, '-vi': vietnamese };

/** Kerning, tabular and lining figures, and the features that compose accented letters. No stylistic features. */
const keepFeatures = ['kern', 'tnum', 'lnum', 'ccmp', 'locl', 'mark', 'mkmk'];
const families = [
  { file: 'archivo', family: 'Archivo', weight: '500 900', axes: { wdth: 114, wght: 620 } },
  { file: 'hanken', family: 'Hanken Grotesk', weight: '400 700', axes: { wght: { min: 400, max: 700 } } },
];
const themed = {
  poster: { file: 'archivo', family: 'Poster', weight: '500 900', axes: { wdth: 66, wght: 760 } },
  programme: { file: 'archivo', family: 'Programme', weight: '300 900', axes: { wdth: 114, wght: 330 } },
  letter: { file: 'newsreader', family: 'Letter', weight: '400 900', axes: { opsz: 60, wght: 520 } },
};

const characters = (ranges) =>
  ranges
    .flatMap(([from, to = from]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)))
    .join('');
const hex = (code) => code.toString(16).toUpperCase();
const unicodeRange = (ranges) => ranges.map(([from, to]) => `U+${hex(from)}${to ? `-${hex(to)}` : ''}`).join(', ');

mkdirSync(output, { recursive: true });
for (const old of readdirSync(output)) if (old.endsWith('.woff2')) rmSync(new URL(old, output));

const rules = [];
const preload = [];

async function cutFace({ file, family, weight, axes }, name) {
  const found = [];
  let first = '';
  for (const [suffix, ranges] of Object.entries(sets)) {
    const source = readFileSync(new URL(`source/${file}${suffix}.woff2`, here));
    const cut = await subsetFont(source, characters(ranges), {
      targetFormat: 'woff2',
      variationAxes: axes,
      keepFeatures,
      noLayoutClosure: true,
    });
    const hash = createHash('sha256').update(cut).digest('hex').slice(0, 8);
    const path = `${name}${suffix}.${hash}.woff2`;
    writeFileSync(new URL(path, output), cut);
    if (suffix === '') first = `/fonts/${path}`;
    found.push(
      `@font-face {\n  font-family: "${family}";\n  src: url("/fonts/${path}") format("woff2");\n  font-weight: ${weight};\n` +
        `  font-display: swap;\n  unicode-range: ${unicodeRange(ranges)};\n}`,
    );
    console.info(`${path}  ${(cut.length / 1024).toFixed(1)} kB`);
  }
  return { rules: found, first };
}

for (const face of families) {
  const cut = await cutFace(face, face.file);
  rules.push(...cut.rules);
  preload.push(cut.first);
}

/** System fonts with adjusted metrics, so that loading the web font moves nothing. Measured on a paragraph of text. */
const fallbacks = JSON.parse(readFileSync(new URL('fallbacks.json', here), 'utf8'));
function fallbackRule({ family, local, sizeAdjust, ascent, descent }) {
  const percent = (value) => `${((value / sizeAdjust) * 100).toFixed(2)}%`;
  return (
    `@font-face {\n  font-family: "${family} Fallback";\n  src: ${local.map((name) => `local("${name}")`).join(', ')};\n` +
    `  size-adjust: ${(sizeAdjust * 100).toFixed(2)}%;\n  ascent-override: ${percent(ascent)};\n` +
    `  descent-override: ${percent(descent)};\n  line-gap-override: 0%;\n}`
  );
}
const isThemed = ({ family }) => Object.values(themed).some((face) => face.family === family);
rules.push(...fallbacks.filter((one) => !isThemed(one)).map(fallbackRule));

const notice = 'Written by fonts/generate.mjs: change the generator, not this file.';
writeFileSync(new URL('../styles/fonts.css', here), `/* ${notice} */\n${rules.join('\n')}\n`);
writeFileSync(
  new URL('preload.ts', here),
  `// The font files of the first paint, to be named in \`<link rel="preload">\`. ${notice}\n` +
    `export const fontPreloads = [\n${preload.map((path) => `  '${path}',`).join('\n')}\n] as const;\n`,
);

const faces = [];
for (const [pair, face] of Object.entries(themed)) {
  const { rules: own, first } = await cutFace(face, pair);
  const all = [...own, ...fallbacks.filter(({ family }) => family === face.family).map(fallbackRule)];
  const css = all
    .join('')
    .replace(/\s*\n\s*/g, '')
    .replace(/ \{/g, '{');
  faces.push(`  ${pair}: {\n    first: '${first}',\n    rules:\n      '${css}',\n  },`);
}
writeFileSync(
  new URL('theme-faces.ts', here),
  `// The display faces of creators' themes: their rules, and the file of the first paint. ${notice}\n` +
    `export const THEME_FACES = {\n${faces.join('\n')}\n} as const;\n`,
);
