/** Parses HTTP/1.1 responses (RFC 9112) from a socket's chunks, only as far as needed to know when one is complete. */

export type HttpResponse = {
  readonly status: number;
  readonly bytes: number;
  readonly start: string;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Reads one response at a time. The next request is sent only when the response is complete. */
export class ResponseReader {
  #chunks: Buffer[] = [];
  #size = 0;
  #bodyFrom = 0;
  #status = 0;
  /** Where the response ends. Undefined while the head is incomplete or the body is chunked. */
  #end: number | undefined;
  #isChunked = false;

  push(chunk: Buffer): HttpResponse | undefined {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#bodyFrom === 0 && !this.#readHead()) return undefined;
    if (this.#isChunked ? !this.#hasLastChunk() : this.#size < (this.#end ?? 0)) return undefined;
    const start = this.#join().toString('utf8', this.#bodyFrom, this.#bodyFrom + 300);
    const response = { status: this.#status, bytes: this.#size, start };
    this.#chunks = [];
    this.#size = 0;
    this.#bodyFrom = 0;
    return response;
  }

  #join(): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks;
    const joined = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #readHead(): boolean {
    const joined = this.#join();
    const at = joined.indexOf(HEAD_END);
    if (at < 0) return false;
    const head = joined.toString('latin1', 0, at).toLowerCase();
    this.#bodyFrom = at + HEAD_END.length;
    this.#status = Number(head.slice(9, 12));
    this.#isChunked = head.includes('\r\ntransfer-encoding: chunked');
    this.#end = this.#bodyFrom + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    return true;
  }

  /**
   * The body may contain these bytes too, but not at the end of the received data while more is expected, because each
   * chunk begins with its length.
   */
  #hasLastChunk(): boolean {
    const tail = this.#chunks.at(-1);
    if (!tail) return false;
    const end = tail.length >= LAST_CHUNK.length ? tail : this.#join();
    return end.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }
}
