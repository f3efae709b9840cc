import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  CONTRAST,
  contrast,
  LIGHTNESS_STEPS,
  nearest,
  onLine,
  paletteOf,
  ratioWords,
  refusalsOf,
  textOn,
  textOnAccent,
  toHex,
  toOklch,
  twinOf,
} from './theme-colours.ts';
import { PRESETS, presetOf } from './theme-presets.ts';
import { codeOf, lookOf, palettesOf, refusals, type Theme, theme, themeOfCode, weakest } from './themes.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const [paper] = PRESETS;
if (!paper) throw new Error('There are no presets.');
const valid = paper.theme;
const fieldsOf = (value: unknown) => {
  const read = z.safeParse(theme, value);
  return read.success ? [] : read.error.issues.map(({ path }) => path.join('.'));
};

describe('theme colours', () => {
  it('compute contrast as WCAG defines it', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#f2b705', '#f4f1ea')).toBeCloseTo(contrast('#f4f1ea', '#f2b705'), 10);
    expect(ratioWords(4.4999)).toBe('4.4:1');
  });

  it('survive the conversion to OKLCH and back', () => {
    fc.assert(
      fc.property(hex, (one) => {
        expect(toHex(toOklch(one))).toBe(one);
      }),
    );
  });

  it('suggest the passing colour that is nearest in lightness', () => {
    fc.assert(
      fc.property(hex, hex, (accent, background) => {
        if (refusalsOf({ accent, background }).some(({ part }) => part === 'background')) return;
        const passes = (one: string) => contrast(one, background) >= CONTRAST;
        const offered = nearest(accent, passes);
        expect(passes(offered)).toBe(true);
        if (passes(accent)) {
          expect(offered).toBe(accent);
          return;
        }
        const at = Math.round(toOklch(accent).l * LIGHTNESS_STEPS);
        const steps = Array.from({ length: LIGHTNESS_STEPS + 1 }, (_, step) => step);
        const away = Math.min(
          ...steps.filter((step) => onLine(accent, step) === offered).map((step) => Math.abs(step - at)),
        );
        const nearer = steps.filter((step) => Math.abs(step - at) < away && passes(onLine(accent, step)));
        expect(nearer).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('suggest a background on which text is readable', () => {
    fc.assert(
      fc.property(hex, (background) => {
        for (const { part, nearest: offered } of refusalsOf({ background, accent: '#000000' }))
          if (part === 'background') expect(contrast(textOn(offered), offered)).toBeGreaterThanOrEqual(CONTRAST);
      }),
    );
    expect(refusalsOf({ background: '#777777', accent: '#000000' })).toContainEqual(
      expect.objectContaining({ part: 'background' }),
    );
  });

  it('give readable text on every accent', () => {
    fc.assert(
      fc.property(hex, (accent) => {
        expect(contrast(textOnAccent(accent), accent)).toBeGreaterThanOrEqual(CONTRAST);
      }),
    );
  });

  it('derive readable light and dark palettes from every valid pair', () => {
    fc.assert(
      fc.property(hex, hex, (background, accent) => {
        const own = { background, accent };
        if (refusalsOf(own).length > 0) return;
        expect(refusalsOf(twinOf(own))).toEqual([]);
        for (const one of [paletteOf(own), paletteOf(twinOf(own))]) {
          for (const surface of [one.surface, ...one.raised])
            for (const words of [one.text, one.muted, one.accent])
              expect(contrast(words, surface)).toBeGreaterThanOrEqual(CONTRAST);
          for (const sign of [one.success, one.warn, one.danger])
            expect(contrast(sign, one.surface)).toBeGreaterThanOrEqual(CONTRAST);
          expect(contrast(one.onAccent, one.accent)).toBeGreaterThanOrEqual(CONTRAST);
          expect(contrast(one.edge, one.surface)).toBeGreaterThanOrEqual(3);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('derive a dark mode from a light theme, and a light mode from a dark theme', () => {
    const { light, dark } = palettesOf({ background: '#f4f3f0', accent: '#2f5d50', twin: 'made' });
    expect([light.isDark, dark.isDark]).toEqual([false, true]);
    const other = palettesOf({ background: '#0c1024', accent: '#ffc46b', twin: 'made' });
    expect([other.light.isDark, other.dark.isDark]).toEqual([false, true]);
    expect(other.dark.surface).toBe('#0c1024');
    const same = palettesOf({ background: '#0c1024', accent: '#ffc46b', twin: 'same' });
    expect(same.light).toEqual(same.dark);
  });
});

describe('a creator’s theme', () => {
  it('is refused if it is not readable, with a colour that would be', () => {
    const read = z.safeParse(theme, { ...valid, background: '#f4f1ea', accent: '#F2B705' });
    const words = read.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    const [refused] = refusals({ ...valid, background: '#f4f1ea', accent: '#f2b705' });
    expect(words).toEqual([`accent: #f2b705 on #f4f1ea is 1.6:1. It needs 4.5:1; closest match: ${refused?.nearest}`]);
    expect(fieldsOf({ ...valid, accent: refused?.nearest, background: '#f4f1ea' })).toEqual([]);
    expect(fieldsOf({ ...valid, background: '#777777', accent: '#000000' })).toEqual(['background']);
    expect(fieldsOf({ ...valid, twin: { background: '#101010', accent: '#111111' } })).toEqual(['twin.accent']);
  });

  it.each([
    ['accent', 'red'],
    ['accent', '#12345'],
    ['accent', '#2f5d50;}body{display:none'],
    ['background', 'url(https://example.com/a.png)'],
    ['background', '#ffffff80'],
    ['twin', 'none'],
    ['type', 'Comic Sans MS'],
    ['radius', 5],
    ['radius', '4px'],
    ['radius', -4],
    ['layout', 'split'],
    ['shape', 'star'],
    ['format', 'grid'],
    ['cover', 'url(x)'],
  ])('refuses the field %s with the value %j', (field, value) => {
    expect(fieldsOf({ ...valid, [field]: value })).toContain(field);
  });

  it('drops unknown fields', () => {
    expect(z.parse(theme, { ...valid, css: 'body{display:none}' })).toEqual(valid);
  });

  it('can be encoded as a code and decoded again', () => {
    const own: Theme = { ...valid, twin: { background: '#101418', accent: '#8fd3b6' } };
    for (const one of [...PRESETS.map((preset) => preset.theme), own]) {
      expect(codeOf(one)).toMatch(/^[a-z0-9.-]{1,120}$/);
      expect(themeOfCode(codeOf(one))).toEqual(one);
    }
    const code = codeOf(valid);
    for (const wrong of ['', 'x', `${code}-more`, code.toUpperCase(), code.replace('2f5d50', 'f4f3ef'), `${code}.`])
      expect(themeOfCode(wrong), wrong).toBeUndefined();
    fc.assert(fc.property(fc.string({ maxLength: 120 }), (text) => themeOfCode(text) === undefined));
  });
});

describe('theme presets', () => {
  it('pass validation in light and dark mode and differ from each other', () => {
    for (const preset of PRESETS) {
      expect(fieldsOf(preset.theme), preset.name).toEqual([]);
      expect(weakest(preset.theme), preset.name).toBeGreaterThanOrEqual(CONTRAST);
      expect(presetOf(preset.key)).toBe(preset);
      expect(lookOf(preset.theme).type).toBe(preset.theme.type);
    }
    expect(new Set(PRESETS.map((preset) => codeOf(preset.theme))).size).toBe(PRESETS.length);
  });
});
