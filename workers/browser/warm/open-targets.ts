import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const MAX_ANSWER_BYTES = 4 * 1024 ** 2;
const MAX_ANSWER_MS = 5_000;

/** Playwright counts its own from 1. */
const TARGETS = '{"id":2000000001,';
const CONTEXTS = '{"id":2000000002,';
const QUESTIONS = `${TARGETS}"method":"Target.getTargets"}\0${CONTEXTS}"method":"Target.getBrowserContexts"}\0`;
/** How the answers begin; of contexts one is always there, which is not counted. */
const NONE = [
  `${TARGETS}"result":{"targetInfos":[]`,
  `${CONTEXTS}"result":{"browserContextIds":[]`,
];

/**
 * Whether a Chromium has neither a page nor a context, asked on its pipes, which nobody else uses
 * meanwhile; false too where it does not answer. What nobody read of earlier answers goes.
 *
 * @throws where the pipes are not there, or nobody has them open
 */
export async function isEmpty(input: string, output: string): Promise<boolean> {
  const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;
  const answers = new Socket({ fd: openSync(output, O_RDONLY | O_NONBLOCK), writable: false });
  const commands = openSync(input, O_WRONLY | O_NONBLOCK);
  try {
    writeSync(commands, QUESTIONS);
    return await Promise.race([readAnswers(answers), wait(MAX_ANSWER_MS, false, { ref: false })]);
  } finally {
    closeSync(commands);
    answers.destroy();
  }
}

async function readAnswers(answers: Socket): Promise<boolean> {
  let text = '';
  for await (const chunk of answers.setEncoding('latin1')) {
    text += chunk;
    // What follows the last end of a message has not come as a whole.
    const messages = text.split('\0').slice(0, -1);
    if (messages.some((it) => it.startsWith(CONTEXTS))) {
      return NONE.every((none) => messages.some((it) => it.startsWith(none)));
    }
    if (text.length > MAX_ANSWER_BYTES) return false;
  }
  return false;
}
