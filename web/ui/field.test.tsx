import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextAreaField, TextField } from './field.tsx';

test('free text is written in the direction of its script, numbers and addresses are not', () => {
  const isAuto = (field: React.ReactElement) => renderToStaticMarkup(field).includes('dir="auto"');
  expect([
    isAuto(<TextField label="Message" />),
    isAuto(<TextAreaField label="Bio" />),
    isAuto(<TextField label="Credits" inputMode="numeric" />),
    isAuto(<TextField label="Amount" prefix="$" />),
    isAuto(<TextField label="Email" type="email" />),
  ]).toEqual([true, true, false, false, false]);
});
