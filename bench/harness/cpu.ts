/** CPU time of PostgreSQL's processes from /proc (proc(5)). On systems without /proc it counts as 0. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

type ProcessStat = { parent: number; own: number; reaped: number };

function readStat(pid: string): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [own, ownSystem, reaped, reapedSystem] = fields.slice(11, 15);
    return { parent, own: (own ?? 0) + (ownSystem ?? 0), reaped: (reaped ?? 0) + (reapedSystem ?? 0) };
  } catch {
    return undefined;
  }
}

export function getProcessTreeCpuMs(pid: number): number {
  const parent = readStat(String(pid));
  if (!parent) return 0;
  let ticks = parent.own + parent.reaped;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(name);
    if (stat?.parent === pid) ticks += stat.own + stat.reaped;
  }
  return (ticks * 1000) / TICKS_PER_SECOND;
}
