import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum, total } from './sum.mjs';

test('adds two numbers', () => {
  assert.equal(sum(2, 3), 5);
});

test('adds a negative number', () => {
  assert.equal(sum(2, -3), -1);
});

test('totals a list', () => {
  assert.equal(total([1, 2, 3]), 6);
});

test('totals nothing to 0', () => {
  assert.equal(total([]), 0);
});
