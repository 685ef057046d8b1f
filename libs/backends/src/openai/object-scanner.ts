/** Follows a JSON object that comes in pieces, to know when it is closed. Looks at each character once. */
export class ObjectScanner {
  private depth = 0;
  private isOpened = false;
  private inText = false;
  private isEscaped = false;

  get isClosed(): boolean {
    return this.isOpened && this.depth === 0;
  }

  push(piece: string): void {
    for (const character of piece) {
      if (this.inText) this.text(character);
      else this.structure(character);
    }
  }

  private text(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') this.inText = false;
  }

  private structure(character: string): void {
    if (character === '"') this.inText = true;
    else if (character === '{') this.depth += 1;
    else if (character === '}') this.depth -= 1;
    this.isOpened ||= character === '{';
  }
}
