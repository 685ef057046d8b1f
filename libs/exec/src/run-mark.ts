import { randomUUID } from 'node:crypto';
import { encodeInnerOrder, encodeRunOrder, type RunOrder } from '#sandbox';

const RUN_VARIABLE = 'OLLIE_RUN';

/** An order with a variable that tells the processes of this run from all others. */
export interface MarkedOrder {
  readonly encoded: Uint8Array;
  /** `NAME=value`. */
  readonly variable: string;
}

/** Throws RunOrderError for an order that cannot be encoded. */
export function markedOrder(order: RunOrder): MarkedOrder {
  return marked(order, encodeRunOrder);
}

/** The same for the cell that was made for this order. */
export function markedInnerOrder(order: RunOrder): MarkedOrder {
  return marked(order, encodeInnerOrder);
}

function marked(order: RunOrder, encode: (order: RunOrder) => Uint8Array): MarkedOrder {
  const run = randomUUID();
  return { encoded: encode({ ...order, env: { ...order.env, [RUN_VARIABLE]: run } }), variable: `${RUN_VARIABLE}=${run}` };
}
