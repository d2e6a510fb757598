/** What a script asked for cannot be done: the message is for the script. */
export class Refusal extends Error {}
