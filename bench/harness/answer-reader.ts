/** Reads HTTP/1.1 answers (RFC 9112) from a socket's chunks: just enough to know when one is complete. */

export type Answer = {
  readonly status: number;
  readonly bytes: number;
  /** The beginning of the body, for a complaint. */
  readonly start: string;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** One answer at a time: the next request is sent only when this one is complete. */
export class AnswerReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #bodyFrom = 0;
  #status = 0;
  /** Where the answer ends; undefined while the head is incomplete or the body is chunked. */
  #end: number | undefined;
  #isChunked = false;

  /** Takes a chunk; answers the answer when this one completed it. */
  push(chunk: Buffer): Answer | undefined {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#bodyFrom === 0 && !this.#readHead()) return undefined;
    if (this.#isChunked ? !this.#hasLastChunk() : this.#size < (this.#end ?? 0)) return undefined;
    const start = this.#join().toString('utf8', this.#bodyFrom, this.#bodyFrom + 300);
    const answer = { status: this.#status, bytes: this.#size, start };
    this.#chunks = [];
    this.#size = 0;
    this.#bodyFrom = 0;
    return answer;
  }

  #join(): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const whole = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  #readHead(): boolean {
    const whole = this.#join();
    const at = whole.indexOf(HEAD_END);
    if (at < 0) return false;
    const head = whole.toString('latin1', 0, at).toLowerCase();
    this.#bodyFrom = at + HEAD_END.length;
    this.#status = Number(head.slice(9, 12));
    this.#isChunked = head.includes('\r\ntransfer-encoding: chunked');
    this.#end = this.#bodyFrom + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    return true;
  }

  /** A body may contain the same bytes, but not at the end of what has arrived while more is to come: chunks say their length first. */
  #hasLastChunk(): boolean {
    const tail = this.#chunks.at(-1);
    if (!tail) return false;
    const end = tail.length >= LAST_CHUNK.length ? tail : this.#join();
    return end.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }
}
