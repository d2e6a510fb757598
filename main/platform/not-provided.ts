/** Stands for a port of a machine until the machine's owner provides it. */
export function notProvided(machine: string, port: string): never {
  throw new Error(`The port ${port} of the ${machine} machine is not provided.`);
}
