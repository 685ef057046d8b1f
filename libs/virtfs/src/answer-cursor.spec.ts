import { AnswerCursor } from './answer-cursor.js';

describe('AnswerCursor', () => {
  it('takes offsets as they are before any write', () => {
    const cursor = new AnswerCursor();
    expect([cursor.locate(0), cursor.locate(7), cursor.locate(3)]).toEqual([0, 7, 3]);
  });

  it('begins the answer where the last write ended, for a reader that never seeks', () => {
    const cursor = new AnswerCursor();
    cursor.wrote(0, 4);
    cursor.wrote(4, 6);
    expect([cursor.locate(10), cursor.locate(12), cursor.locate(15)]).toEqual([0, 2, 5]);
    cursor.wrote(15, 5);
    expect([cursor.locate(20), cursor.locate(21)]).toEqual([0, 1]);
  });

  it('begins the answer at 0 for a reader that seeks there', () => {
    const cursor = new AnswerCursor();
    cursor.wrote(100, 5);
    expect([cursor.locate(0), cursor.locate(105)]).toEqual([0, 105]);
  });

  it('begins the answer where a refused write began, for a reader that has not moved, or where it ended', () => {
    for (const place of [100, 105]) {
      const cursor = new AnswerCursor();
      cursor.wrote(100, 5);
      cursor.refuse(100);
      expect([cursor.locate(place), cursor.locate(place + 2)]).toEqual([0, 2]);
    }
  });

  it('forgets a refused write with the next one', () => {
    const cursor = new AnswerCursor();
    cursor.wrote(100, 5);
    cursor.refuse(100);
    cursor.wrote(100, 7);
    expect(cursor.locate(100)).toBe(100);
  });

  it('goes back to 0 for a reader that seeks there later', () => {
    const cursor = new AnswerCursor();
    cursor.wrote(0, 5);
    expect([cursor.locate(5), cursor.locate(8), cursor.locate(0), cursor.locate(3)]).toEqual([0, 3, 0, 3]);
  });
});
