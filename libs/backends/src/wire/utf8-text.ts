import { StringDecoder } from 'node:string_decoder';

const BYTE_ORDER_MARK = '\uFEFF';

/** Bytes to text, without the byte order mark at its start. Characters may come cut. */
export class Utf8Text {
  private readonly decoder = new StringDecoder('utf8');
  private hasBegun = false;

  push(piece: Buffer): string {
    const text = this.decoder.write(piece);
    if (this.hasBegun || text === '') return text;
    this.hasBegun = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}
