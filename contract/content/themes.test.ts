import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  CONTRAST,
  findContrastProblems,
  findNearestColour,
  formatRatio,
  getContrast,
  LIGHTNESS_STEPS,
  setLightness,
  toAccentTextColour,
  toHex,
  toOklch,
  toOtherMode,
  toPalette,
  toTextColour,
} from './theme-colours.ts';
import { findThemePreset, THEME_PRESETS } from './theme-presets.ts';
import {
  findThemeContrastProblems,
  getWeakestThemeContrast,
  parseThemeCode,
  type Theme,
  theme,
  toPalettes,
  toThemeAppearance,
  toThemeCode,
} from './themes.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const [paper] = THEME_PRESETS;
if (!paper) throw new Error('There are no presets.');
const valid = paper.theme;
const listRefusedFields = (value: unknown) => {
  const read = z.safeParse(theme, value);
  return read.success ? [] : read.error.issues.map(({ path }) => path.join('.'));
};

describe('theme colours', () => {
  it('compute contrast as WCAG defines it', () => {
    expect(getContrast('#000000', '#ffffff')).toBe(21);
    expect(getContrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(getContrast('#f2b705', '#f4f1ea')).toBeCloseTo(getContrast('#f4f1ea', '#f2b705'), 10);
    expect(formatRatio(4.4999)).toBe('4.4:1');
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
        if (findContrastProblems({ accent, background }).some(({ part }) => part === 'background')) return;
        const passes = (one: string) => getContrast(one, background) >= CONTRAST;
        const offered = findNearestColour(accent, passes);
        expect(passes(offered)).toBe(true);
        if (passes(accent)) {
          expect(offered).toBe(accent);
          return;
        }
        const at = Math.round(toOklch(accent).l * LIGHTNESS_STEPS);
        const steps = Array.from({ length: LIGHTNESS_STEPS + 1 }, (_, step) => step);
        const away = Math.min(
          ...steps.filter((step) => setLightness(accent, step) === offered).map((step) => Math.abs(step - at)),
        );
        const nearer = steps.filter((step) => Math.abs(step - at) < away && passes(setLightness(accent, step)));
        expect(nearer).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('suggest a background on which text is readable', () => {
    fc.assert(
      fc.property(hex, (background) => {
        for (const { part, nearest: offered } of findContrastProblems({ background, accent: '#000000' }))
          if (part === 'background')
            expect(getContrast(toTextColour(offered), offered)).toBeGreaterThanOrEqual(CONTRAST);
      }),
    );
    expect(findContrastProblems({ background: '#777777', accent: '#000000' })).toContainEqual(
      expect.objectContaining({ part: 'background' }),
    );
  });

  it('give readable text on every accent', () => {
    fc.assert(
      fc.property(hex, (accent) => {
        expect(getContrast(toAccentTextColour(accent), accent)).toBeGreaterThanOrEqual(CONTRAST);
      }),
    );
  });

  it('derive readable light and dark palettes from every valid pair', () => {
    fc.assert(
      fc.property(hex, hex, (background, accent) => {
        const own = { background, accent };
        if (findContrastProblems(own).length > 0) return;
        expect(findContrastProblems(toOtherMode(own))).toEqual([]);
        for (const one of [toPalette(own), toPalette(toOtherMode(own))]) {
          for (const surface of [one.surface, ...one.raised])
            for (const textColour of [one.text, one.muted, one.accent])
              expect(getContrast(textColour, surface)).toBeGreaterThanOrEqual(CONTRAST);
          for (const sign of [one.success, one.warn, one.danger])
            expect(getContrast(sign, one.surface)).toBeGreaterThanOrEqual(CONTRAST);
          expect(getContrast(one.onAccent, one.accent)).toBeGreaterThanOrEqual(CONTRAST);
          expect(getContrast(one.edge, one.surface)).toBeGreaterThanOrEqual(3);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('derive a dark mode from a light theme, and a light mode from a dark theme', () => {
    const { light, dark } = toPalettes({ background: '#f4f3f0', accent: '#2f5d50', otherMode: 'derived' });
    expect([light.isDark, dark.isDark]).toEqual([false, true]);
    const other = toPalettes({ background: '#0c1024', accent: '#ffc46b', otherMode: 'derived' });
    expect([other.light.isDark, other.dark.isDark]).toEqual([false, true]);
    expect(other.dark.surface).toBe('#0c1024');
    const same = toPalettes({ background: '#0c1024', accent: '#ffc46b', otherMode: 'same' });
    expect(same.light).toEqual(same.dark);
  });
});

describe('a creator’s theme', () => {
  it('is refused if it is not readable, with a colour that would be', () => {
    const read = z.safeParse(theme, { ...valid, background: '#f4f1ea', accent: '#F2B705' });
    const messages = read.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    const [refused] = findThemeContrastProblems({ ...valid, background: '#f4f1ea', accent: '#f2b705' });
    expect(messages).toEqual([
      `accent: #f2b705 on #f4f1ea is 1.6:1. It needs 4.5:1; closest match: ${refused?.nearest}`,
    ]);
    expect(listRefusedFields({ ...valid, accent: refused?.nearest, background: '#f4f1ea' })).toEqual([]);
    expect(listRefusedFields({ ...valid, background: '#777777', accent: '#000000' })).toEqual(['background']);
    expect(listRefusedFields({ ...valid, otherMode: { background: '#101010', accent: '#111111' } })).toEqual([
      'otherMode.accent',
    ]);
  });

  it.each([
    ['accent', 'red'],
    ['accent', '#12345'],
    ['accent', '#2f5d50;}body{display:none'],
    ['background', 'url(https://example.com/a.png)'],
    ['background', '#ffffff80'],
    ['otherMode', 'none'],
    ['type', 'Comic Sans MS'],
    ['radius', 5],
    ['radius', '4px'],
    ['radius', -4],
    ['layout', 'split'],
    ['shape', 'star'],
    ['format', 'grid'],
    ['cover', 'url(x)'],
  ])('refuses the field %s with the value %j', (field, value) => {
    expect(listRefusedFields({ ...valid, [field]: value })).toContain(field);
  });

  it('drops unknown fields', () => {
    expect(z.parse(theme, { ...valid, css: 'body{display:none}' })).toEqual(valid);
  });

  it('can be encoded as a code and decoded again', () => {
    const own: Theme = { ...valid, otherMode: { background: '#101418', accent: '#8fd3b6' } };
    for (const one of [...THEME_PRESETS.map((preset) => preset.theme), own]) {
      expect(toThemeCode(one)).toMatch(/^[a-z0-9.-]{1,120}$/);
      expect(parseThemeCode(toThemeCode(one))).toEqual(one);
    }
    const code = toThemeCode(valid);
    for (const wrong of ['', 'x', `${code}-more`, code.toUpperCase(), code.replace('2f5d50', 'f4f3ef'), `${code}.`])
      expect(parseThemeCode(wrong), wrong).toBeUndefined();
    fc.assert(fc.property(fc.string({ maxLength: 120 }), (text) => parseThemeCode(text) === undefined));
  });
});

describe('theme presets', () => {
  it('pass validation in light and dark mode and differ from each other', () => {
    for (const preset of THEME_PRESETS) {
      expect(listRefusedFields(preset.theme), preset.name).toEqual([]);
      expect(getWeakestThemeContrast(preset.theme), preset.name).toBeGreaterThanOrEqual(CONTRAST);
      expect(findThemePreset(preset.key)).toBe(preset);
      expect(toThemeAppearance(preset.theme).type).toBe(preset.theme.type);
    }
    expect(new Set(THEME_PRESETS.map((preset) => toThemeCode(preset.theme))).size).toBe(THEME_PRESETS.length);
  });
});
