// Cuts the display fonts for share pictures. Run it after web/ui/fonts/source, or an axis in web/ui/fonts/generate.mjs,
// changed.
import { readFileSync, writeFileSync } from 'node:fs';
import * as fontkit from 'fontkit';
import subsetFont from 'subset-font';

const here = new URL('./', import.meta.url);
const source = new URL('../../../../../web/ui/fonts/source/', here);
const keepFeatures = ['kern', 'ccmp', 'locl', 'mark', 'mkmk'];
const pairs = {
  signage: { file: 'archivo', axes: { wdth: 114, wght: 620 } },
  poster: { file: 'archivo', axes: { wdth: 66, wght: 760 } },
  programme: { file: 'archivo', axes: { wdth: 114, wght: 330 } },
  letter: { file: 'newsreader', axes: { opsz: 60, wght: 520 } },
};

function formatRanges({ characterSet }) {
  const ranges = [];
  for (const code of characterSet.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && code <= last[1] + 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map((range) => range.join('-')).join(' ');
}

const faces = {};
for (const [pair, { file, axes }] of Object.entries(pairs)) {
  faces[pair] = [];
  for (const part of ['', '-ext', '-vi']) {
    const font = readFileSync(new URL(`${file}${part}.woff2`, source));
    const { characterSet } = fontkit.create(font);
    const options = { targetFormat: 'truetype', variationAxes: axes, keepFeatures, noLayoutClosure: true };
    const subset = await subsetFont(font, String.fromCodePoint(...characterSet), options);
    const name = `${pair}${part}.ttf`;
    writeFileSync(new URL(name, here), subset);
    faces[pair].push({ file: name, ranges: formatRanges(fontkit.create(subset)) });
  }
}
writeFileSync(new URL('faces.json', here), `${JSON.stringify(faces, null, 2)}\n`);
