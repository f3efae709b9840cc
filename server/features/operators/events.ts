/** What the operators' room tells: that who works at the desk has changed, for its mails. */
declare module '../../kernel/events.ts' {
  interface EventMap {
    /** Somebody's roles were given, changed or taken (`after` is empty). No `byId`: by the command on the machine. */
    'operators.changed': {
      userId: string;
      byId: string | null;
      before: readonly string[];
      after: readonly string[];
      ground: string;
    };
  }
}

export {};
