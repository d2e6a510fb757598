import type { Operation } from '../../operation.ts';
import { cancelTestSession } from './cancel.ts';
import { listTestSessions } from './list.ts';
import { awaitTestSession, readTestResult, readTestSession } from './read.ts';
import { triggerTestSession } from './trigger.ts';

export const testSessionOperations: readonly Operation[] = [
  triggerTestSession,
  listTestSessions,
  readTestSession,
  awaitTestSession,
  readTestResult,
  cancelTestSession,
];
