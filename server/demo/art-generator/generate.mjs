/**
 * Renders the shaders of the demo pictures in headless Chromium. Usage: `node generate.mjs [--draft] [--out folder]
 * [name…]`, where a name may be a prefix. CHROMIUM is the browser's path.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import * as aurelio from './aurelio.mjs';
import * as baptiste from './baptiste.mjs';
import * as dede from './dede.mjs';
import * as defne from './defne.mjs';
import * as hana from './hana.mjs';
import * as ines from './ines.mjs';
import * as mirele from './mirele.mjs';
import * as portraits from './portraits.mjs';
import * as tomasz from './tomasz.mjs';
import * as yuki from './yuki.mjs';

const QUALITY = 82;
/** The width that pages request most. */
const UPRIGHT_WIDTH = 1080;
/** A software renderer that is busy for too long loses its context. */
const BAND = 40;

const { values, positionals } = parseArgs({
  options: { draft: { type: 'boolean', default: false }, out: { type: 'string' } },
  allowPositionals: true,
});
const folder = values.out ?? fileURLToPath(new URL('../art/', import.meta.url));
const all = [portraits, mirele, ines, tomasz, hana, baptiste, dede, yuki, aurelio, defne].flatMap(
  ({ scenes }) => scenes,
);
const wanted = positionals.length === 0 ? all : all.filter(({ name }) => positionals.some((p) => name.startsWith(p)));

async function draw({ source, width, height, samples, band }) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const gl = canvas.getContext('webgl2', { preserveDrawingBuffer: true });
  const compile = (type, text) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    return shader;
  };
  const program = gl.createProgram();
  const corners = '#version 300 es\nin vec2 a;void main(){gl_Position=vec4(a,0.,1.);}';
  gl.attachShader(program, compile(gl.VERTEX_SHADER, corners));
  gl.attachShader(program, compile(gl.FRAGMENT_SHADER, source));
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.uniform2f(gl.getUniformLocation(program, 'R'), width, height);
  gl.uniform1i(gl.getUniformLocation(program, 'SPP'), samples);
  gl.enable(gl.SCISSOR_TEST);
  gl.viewport(0, 0, width, height);
  const pixel = new Uint8Array(4);
  for (let y = 0; y < height; y += band) {
    gl.scissor(0, y, width, band);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.readPixels(0, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }
  const picture = canvas.toDataURL('image/png').split(',')[1];
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return picture;
}

async function develop(png, { width, height, bloom, grain }) {
  const base = await sharp(png).removeAlpha().png().toBuffer();
  const radius = Math.round(width / 40);
  const glow = await sharp(base).linear(1.1, -70).blur(radius).linear(bloom, 0).toBuffer();
  const noise = { type: 'gaussian', mean: 128, sigma: grain };
  const film = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .greyscale()
    .blur(0.7)
    .png()
    .toBuffer();
  return sharp(base).composite([
    { input: glow, blend: 'screen' },
    { input: film, blend: 'soft-light' },
  ]);
}

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
try {
  const page = await browser.newPage();
  for (const scene of wanted) {
    const began = Date.now();
    const [width, height] = scene.size.map((side) => Math.round(values.draft ? side * 0.3 : side));
    const samples = values.draft ? 1 : scene.samples;
    try {
      const png = await page.evaluate(draw, { source: scene.source, width, height, samples, band: BAND });
      const options = { width, height, bloom: scene.bloom ?? 0.5, grain: scene.grain ?? 12 };
      const developed = await develop(Buffer.from(png, 'base64'), options);
      const picture =
        height > width
          ? sharp(await developed.png().toBuffer()).resize({ width: UPRIGHT_WIDTH, withoutEnlargement: true })
          : developed;
      const file = await picture.webp({ quality: QUALITY, effort: 6 }).toFile(path.join(folder, `${scene.name}.webp`));
      console.log(`${scene.name}  ${width}×${height}  ${Math.round(file.size / 1024)} kB  ${Date.now() - began} ms`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${scene.name}: ${String(error).slice(0, 700)}`);
    }
  }
} finally {
  await browser.close();
}
