// Generates the fonts of printed statements and the list of characters in each. Run it after web/ui/fonts/source
// changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fontkit from 'fontkit';
import subsetFont from 'subset-font';

const here = new URL('./', import.meta.url);
const source = new URL('../../../../web/ui/fonts/source/', here);
const keepFeatures = ['kern', 'tnum', 'lnum', 'ccmp', 'locl', 'mark', 'mkmk'];
const weights = { regular: 400, bold: 650 };

function rangesOf({ characterSet }) {
  const ranges = [];
  for (const code of characterSet.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && code <= last[1] + 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map((range) => range.join('-')).join(' ');
}

const faces = [];
for (const file of ['hanken', 'hanken-ext', 'hanken-vi']) {
  const font = readFileSync(new URL(`${file}.woff2`, source));
  const { characterSet } = fontkit.create(font);
  const face = { ranges: rangesOf({ characterSet }) };
  for (const [name, wght] of Object.entries(weights)) {
    face[name] = `${file}-${name}.ttf`;
    const options = { targetFormat: 'truetype', variationAxes: { wght }, keepFeatures };
    writeFileSync(new URL(face[name], here), await subsetFont(font, String.fromCodePoint(...characterSet), options));
  }
  faces.push(face);
}
const everyScript = import.meta.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff2');
faces.push({ ranges: rangesOf(fontkit.openSync(fileURLToPath(everyScript))), regular: 'unifontex', bold: 'unifontex' });
writeFileSync(new URL('faces.json', here), `${JSON.stringify(faces, null, 2)}\n`);
