import { parseAnswer } from './parse-answer.js';

describe('an observer’s answer', () => {
  test.each([
    ['{"id":"b-1","approved":true}', { id: 'b-1', scope: 'once', refusal: undefined, hash: undefined, answer: undefined }],
    [
      '{"id":"b-1","approved":true,"scope":"once","hash":"f"}\n',
      { id: 'b-1', scope: 'once', refusal: undefined, hash: 'f', answer: undefined },
    ],
    [
      '{"id":"b-1","approved":true,"scope":"session"}',
      { id: 'b-1', scope: 'session', refusal: undefined, hash: undefined, answer: undefined },
    ],
    ['{"id":"b-1","error":"no","scope":"once"}', { id: 'b-1', scope: 'once', refusal: 'no', hash: undefined, answer: undefined }],
    ['{"id":"b-1","error":"no"}', { id: 'b-1', scope: 'once', refusal: 'no', hash: undefined, answer: undefined }],
    ['{"id":"b-1","error":""}', { id: 'b-1', scope: 'once', refusal: 'rejected', hash: undefined, answer: undefined }],
    ['{"id":"b-1","approved":false}', { id: 'b-1', scope: 'once', refusal: 'rejected', hash: undefined, answer: undefined }],
    ['{"id":"b-1","approved":false,"error":"later"}', { id: 'b-1', scope: 'once', refusal: 'later', hash: undefined, answer: undefined }],
    ['{"id":"a-1","answer":"blue"}', { id: 'a-1', scope: 'once', refusal: undefined, hash: undefined, answer: 'blue' }],
    ['{"id":"a-1","answer":"","approved":true}', { id: 'a-1', scope: 'once', refusal: undefined, hash: undefined, answer: '' }],
  ])('%j is understood', (text, answer) => {
    expect(parseAnswer(text)).toEqual(answer);
  });

  test.each([
    ['', 'not JSON'],
    ['yes', 'not JSON'],
    ['{"id":"b-1","approved":true', 'not JSON'],
    ['{"id":"b-1","approved":true}{"id":"b-2","approved":true}', 'not JSON'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{"approved":true}', 'id is missing'],
    ['{"id":1,"approved":true}', 'id must be a string'],
    ['{"id":"b-1"}', 'neither approved nor error'],
    ['{"id":"b-1","approved":"true"}', 'approved must be true or false'],
    ['{"id":"b-1","approved":null}', 'approved must be true or false'],
    ['{"id":"b-1","error":7}', 'error must be a string'],
    ['{"id":"b-1","approved":true,"error":"no"}', 'both approved and error'],
    ['{"id":"b-1","approved":true,"scope":"ever"}', 'scope must be once or session, not ever'],
    ['{"id":"b-1","approved":true,"scope":1}', 'scope must be a string'],
    ['{"id":"b-1","error":"no","scope":"session"}', 'scope session is for approvals'],
    ['{"id":"a-1","answer":7}', 'answer must be a string'],
    ['{"id":"a-1","answer":"x","approved":false}', 'both an answer and a refusal'],
    ['{"id":"a-1","answer":"x","error":"no"}', 'both an answer and a refusal'],
    ['{"id":"b-1","approved":true,"\\u001b":1}', 'unknown key \\x1b'],
  ])('%j is an illegal argument: %s', (text, why) => {
    expect(() => parseAnswer(text)).toThrow(`illegal argument: ${why}`);
  });

  test('the text of a rejection is cut at 1024 characters', () => {
    expect(parseAnswer(JSON.stringify({ id: 'b-1', error: 'é'.repeat(5000) })).refusal).toBe('é'.repeat(1024));
  });
});
