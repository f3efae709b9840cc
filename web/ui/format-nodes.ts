import { TEXT_VALUE, type TextValueName } from '@stagedoor/contract/shared/format-text.ts';
import { createElement, Fragment, type ReactNode } from 'react';

/** Like `formatText`, for texts with links or other elements among their values. */
export function formatNodes<T extends string>(
  text: T,
  values: Readonly<Record<TextValueName<T>, ReactNode>>,
): ReactNode;
export function formatNodes(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  // Every second part is the name of a value.
  const parts = text.split(TEXT_VALUE).map((part, index) => (index % 2 === 0 ? part : values[part]));
  return createElement(Fragment, null, ...parts);
}
