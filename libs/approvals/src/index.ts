export { Observers } from './observers.js';
export { OpenRequests, type OpenRequest } from './open-requests.js';
export { parseAnswer, short, type Answer, type Scope } from './parse-answer.js';
export { shownJson } from './shown-json.js';
