import { ls } from './ls.js';
import { mv } from './mv.js';
import { read } from './read.js';
import { rdwr } from './rdwr.js';
import { rm } from './rm.js';
import { stat } from './stat.js';
import type { Verb } from './verb.js';
import { write } from './write.js';

export const verbs: Readonly<Record<string, Verb>> = { ls, read, write, rdwr, stat, rm, mv };
